"""A second bookkeeper: the payments of a game record, from its JSON and the rule book alone.

Nothing of the program is imported. Who may do what is not judged here; what was done is counted.
A hand whose readings were put right is counted with the right ones; where that would make later
events void (rule G-10), this clerk is too plain.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy

from tests.support.scat_reference import (
    plain_blitz_points,
    plain_brag,
    plain_loss,
    plain_points,
    plain_pot,
    plain_value,
    plainly_gone,
)

PIPS = dict(zip("23456789TJQK", [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10], strict=True))
ORDER = "A23456789TJQK"


def recount(record):
    """Return, for each finished hand, what everybody got: tokens, lives left, points so far."""
    return Clerk(record).hands


class Clerk:
    """One session."""

    def __init__(self, record):
        self.game, self.options = record["game"], record["options"]
        self.seated = {player["seat"]: player.get("age", -1) for player in record["players"]}
        self.entrants = sorted(self.seated)
        self.dealer = record["dealer"]
        self.lives = dict.fromkeys(self.entrants, self.options.get("lives", 0))
        self.points = dict.fromkeys(self.entrants, 0)
        self.gone = set()
        self.pot = 0
        self.stakes = {int(seat): n for seat, n in record.get("stakes", {}).items()}
        self.restart = []
        self.hands = []
        hand = []
        for event in record["events"]:
            if event["e"] == "next_hand":
                self.count(hand)
                hand = []
                for seat, amount in event.get("stakes", {}).items():
                    self.stakes[int(seat)] = amount
            elif event["e"] == "undo":
                hand.pop()
            else:
                hand.append(event)
        self.count(hand)

    def count(self, raw):
        """Count one hand, if it was finished, and go on to the next dealer."""
        events = put_right(raw)
        self.playing = [seat for seat in sorted(self.seated) if seat not in self.gone]
        cuts = [event for event in events if event["e"] == "cut"]
        if cuts:
            self.dealer = self.lowest(cuts)
        place = self.playing.index(self.dealer)
        self.elders = [*self.playing[place + 1 :], *self.playing[: place + 1]]
        self.tokens = dict.fromkeys(self.playing, 0)
        self.won, self.next_bank, self.again = [], None, False
        if any(event["e"] == "misdeal" for event in events):
            done, self.again = True, True
        else:
            done = getattr(self, "count_" + self.game.replace("-", "_"))(events)
        if not done:
            return
        found = {"tokens": self.tokens}
        if self.options.get("scoring") == "lives":
            found["lives"] = dict(self.lives)
        if self.options.get("scoring") == "points":
            found["points"] = dict(self.points)
        self.hands.append(found)
        for event in events:
            if event["e"] == "leave":
                self.seated.pop(event["seat"], None)
                self.gone.add(event["seat"])
                self.stakes.pop(event["seat"], None)
            elif event["e"] == "join":
                self.seated[event["seat"]] = event.get("age", -1)
                self.gone.discard(event["seat"])
                self.points.setdefault(event["seat"], 0)
        self.pass_the_deal()

    def lowest(self, cuts):
        """The lowest cuts deal; who ties cuts again, last (G-2)."""
        last = {cut["seat"]: ORDER.index(cut["card"][0]) for cut in cuts}
        return min(last, key=last.get)

    def pass_the_deal(self):
        """G-4, G-13, KB-11, SW-8."""
        seats = [seat for seat in sorted(self.seated) if seat not in self.gone]
        after = self.dealer + 1
        if self.again:
            after = self.dealer
        elif self.game == "knucklebones":
            after = self.dealer if self.next_bank is None else self.next_bank
        elif self.options["next_dealer"] == "same":
            after = self.dealer
        elif self.options["next_dealer"] == "winner" and len(self.won) == 1:
            after = self.won[0]
        if seats:
            self.dealer = next((seat for seat in seats if seat >= after), seats[0])

    # --- One-and-Thirty, Bone-Ace -----------------------------------------------------------

    def total(self, cards):
        """OT-4, OT-25."""
        rest = sum(PIPS[card[0]] for card in cards if card[0] != "A")
        aces = sum(card[0] == "A" for card in cards)
        if self.options["ace_value"] != "1or11":
            return rest + aces * self.options["ace_value"]
        totals = [rest + aces + 10 * high for high in range(aces + 1)]
        return max((each for each in totals if each <= 31), default=totals[0])

    def count_one_and_thirty(self, events):
        hands = {seat: [] for seat in self.playing}
        out, left, acted, called = set(), set(), set(), None
        waiting = {seat: 3 for seat in self.playing}
        for event in events:
            seat, kind = event.get("seat"), event["e"]
            if kind == "deal":
                hands[seat].append(event["card"])
                waiting[seat] -= 1
            elif kind in ("have", "stick"):
                acted.add(seat)
            elif kind in ("declare", "reveal"):
                hands[seat] = event.get("cards") or hands[seat]
                if kind == "declare" and event["what"] == "out":
                    out.add(seat)
                    acted.add(seat)
                elif kind == "declare":
                    called = seat
            elif kind == "leave":
                out.add(seat)
                left.add(seat)
        if any(count > 0 for count in waiting.values()):
            return False
        best = {}
        for seat, cards in hands.items():
            if "??" not in cards and self.total(cards) > 31:
                out.add(seat)
            elif "??" not in cards and seat not in out:
                best[seat] = self.total(cards)
        alive = [seat for seat in self.elders if seat not in out]
        if self.options["eldest_means"] == "age":
            alive.sort(key=lambda seat: -self.seated[seat])
        showed = any(event["e"] == "reveal" for event in events)
        drawn = [event["seat"] for event in events if event["e"] == "deal"]
        if called is None and not showed:
            # 31 with the last card of all, or dealt: it ends the hand there and then (OT-9, OT-16).
            if best.get(drawn[-1]) == 31 and len(hands[drawn[-1]]) > 3:
                called = drawn[-1]
            elif self.options["ace_value"] != 1 and not acted:
                called = next((seat for seat in alive if best.get(seat) == 31), None)
        bone = self.pay_the_bone(hands)
        if called is not None:
            self.won = [called]
        elif len(alive) == 1 or not alive:
            self.won = alive
        elif set(alive) <= set(best):
            top = [seat for seat in alive if best[seat] == max(best.values())]
            self.won = top if self.options["tie_rule"] == "split" else top[:1]
        else:
            return False
        stakes = 2 if called is not None and self.options["double_on_31"] else 1
        late = self.options["late_31"] == "double" and self.options["double_on_31"]
        if called is None and late and len(alive) > 1 and best[self.won[0]] == 31:
            stakes = 2
        if self.options.get("bone_effect") == "half_pot":
            self.share_the_pool(bone, alive, left)
            return True
        lost = 0
        for seat in self.playing if self.won else ():
            if seat in self.won:
                continue
            due = stakes * self.options["stake"]
            if self.options.get("cap_double") == "whole_hand" and self.tokens[seat] < 0:
                due = min(due, 2 * self.options["stake"] + self.tokens[seat])
            self.tokens[seat] -= due
            lost += due
        for place, seat in enumerate(self.won):
            self.tokens[seat] += lost // len(self.won) + (lost % len(self.won) if not place else 0)
        return True

    count_bone_ace = count_one_and_thirty

    def pay_the_bone(self, hands):
        """BA-2 to BA-8; who holds the Bone."""
        if self.game != "bone-ace":
            return None
        high = self.options["upcard_ace"] == "high"

        def rank(seat):
            card = hands[seat][2]
            if card == self.options["bone_ace"]:
                return 99
            return 50 if card[0] == "A" and high else ORDER.index(card[0])

        elders = list(self.elders)
        if self.options["eldest_means"] == "age":
            elders.sort(key=lambda seat: -self.seated[seat])
        holder = max(elders, key=rank)
        if self.options["bone_effect"] == "stake_each":
            for seat in self.playing:
                self.tokens[seat] -= self.options["stake"]
            self.tokens[holder] += self.options["stake"] * len(self.playing)
        return holder

    def share_the_pool(self, holder, alive, left):
        """BA-6."""
        pool = self.options["stake"] * len(self.playing)
        sharers = self.won or [seat for seat in self.elders if seat not in left] or self.elders
        for seat in self.playing:
            self.tokens[seat] -= self.options["stake"]
        self.tokens[holder] += pool // 2
        rest = pool - pool // 2
        for place, seat in enumerate(sharers):
            self.tokens[seat] += rest // len(sharers) + (0 if place else rest % len(sharers))

    # --- knucklebones -----------------------------------------------------------------------

    def count_knucklebones(self, events):
        """KB-2 to KB-16; the bank is the dealer."""
        points, throws, ready, left = Counter(), Counter(), set(), set()
        most, target = self.options["max_extra"], self.options["target"]
        singly = self.options["extra_mode"] == "one_at_a_time"
        for event in events:
            seat, kind = event.get("seat"), event["e"]
            if kind in ("stake", "join") and event.get("amount", event.get("stake")):
                self.stakes[seat] = event.get("amount", event.get("stake"))
            elif kind == "roll":
                points[seat] += sum(event["faces"])
                throws[seat] += 1
                bound = seat == self.dealer and self.options["banker_rule"] == "stand17"
                last = throws[seat] > most if singly else throws[seat] > 1
                if last or not most or (bound and points[seat] >= 17):
                    ready.add(seat)
            elif kind == "stick" or (kind == "choose" and event["n"] == 0):
                ready.add(seat)
            elif kind == "leave":
                left.add(seat)
        over = {seat for seat in self.playing if points[seat] > target} | left
        others = [seat for seat in self.elders if seat != self.dealer]
        if self.dealer in left:
            return False
        nobody = all(seat in over for seat in others)
        need = others if nobody and not self.options["banker_must_roll"] else self.elders
        if any(seat not in ready | over for seat in need):
            return False
        bank = points[self.dealer]
        for seat in others:
            stake = self.stakes.setdefault(seat, 1)
            gets = stake if points[seat] > bank else -stake
            if points[seat] == bank and self.options["tie"] == "push":
                gets = 0
            gets = stake if self.dealer in over else gets
            gets = -stake if seat in over else gets
            self.tokens[seat] += gets
            self.tokens[self.dealer] -= gets
        self.won = [seat for seat in others if self.tokens[seat] > 0]
        if self.won and (self.options["banker_loses"] == "any" or self.tokens[self.dealer] < 0):
            self.next_bank = max(self.won, key=lambda seat: points[seat])
        return True

    # --- Thirty-one -------------------------------------------------------------------------

    def count_scat(self, events):
        lay = Lay(self.playing, self.dealer, self.restart)
        self.restart = []
        for event in events:
            lay.take(event)
        hands = {seat: cards for seat, cards in lay.hands.items() if seat not in lay.left}
        if not hands or any(len(cards) != 3 for cards in hands.values()):
            return False
        known = {seat: cards for seat, cards in hands.items() if "??" not in cards}
        three = (self.options["three_kind"], self.options["three_kind_suits"])
        brag = self.options["ranking"] == "brag"
        blitz = [] if brag or not self.options["blitz"] else lay.called
        full = [] if brag else [seat for seat in known if plain_value(known[seat], *three) == 31]
        if not blitz and self.options["blitz"] and lay.knocker is None:
            blitz = full
        elif not blitz and self.options["blitz_after_knock"] == "ends":
            blitz = [seat for seat in full if seat != lay.knocker]
        blitz = [seat for seat in self.elders if seat in blitz]
        if self.options["double_blitz"] == "eldest_only":
            blitz = blitz[:1]
        if lay.restarter is not None:
            self.restart, self.again = hands[lay.restarter], True
            return True
        if len(hands) > 1 and not blitz and not lay.is_over(self.options):
            return False
        values = {}
        if known.keys() == hands.keys():
            odd = (self.options["run_a23"], self.options["prial_threes_top"])
            for seat in (each for each in self.elders if each in known):
                cards = known[seat]
                values[seat] = plain_brag(cards, *odd) if brag else plain_value(cards, *three)
        if len(hands) > 1 and not blitz and lay.knocker is not None and not values:
            return False  # they have still to show
        scoring = self.options["scoring"]
        knocker = lay.knocker if lay.knocker in hands else None
        getattr(self, f"pay_{scoring}")(hands, values, blitz, knocker, lay)
        return True

    def pay_lives(self, hands, values, blitz, knocker, lay):
        """SC-7 to SC-11, SC-19, SC-20, SC-25, CQ-1 to CQ-3."""
        penalty, lost = self.options["knock_penalty"], {}
        if blitz:
            lost = {s: penalty if s == knocker else 1 for s in hands if s not in blitz}
        elif lay.knocker is not None and len(hands) > 1:
            tie = self.options["knock_tie"]
            lost = {s: plain_loss(s, values, knocker, penalty, tie) for s in hands}
        rules = self.options["free_ride"], self.options["double_loss_last"]
        out = {s for s in hands if plainly_gone(self.lives[s], lost.get(s, 0), *rules)}
        if out == set(hands) and self.options["all_out"] == "void":
            return
        for seat, count in lost.items():
            self.lives[seat] = max(0, self.lives[seat] - count)
        self.gone |= out

    def pay_points(self, hands, values, blitz, knocker, lay):
        """NE-1 to NE-5."""
        for seat in hands:
            if blitz:
                others = self.options["blitz_others"]
                plain = values or dict.fromkeys(hands, 0)
                self.points[seat] += plain_blitz_points(seat, plain, blitz, knocker, others)
            elif lay.knocker is not None and len(hands) > 1:
                late = self.options["post_knock_31"]
                self.points[seat] += plain_points(seat, values, knocker, late)

    def pay_ante(self, hands, values, blitz, knocker, lay):
        """BK-1 to BK-9."""
        ante, bonus, winners = self.options["ante"], 0, []
        if blitz:
            winners, bonus = blitz, self.options["blitz_bonus"]
        elif len(hands) == 1:
            winners = list(hands)
        elif lay.knocker is not None:
            best = max(values.values())
            winners = [seat for seat in self.elders if values.get(seat) == best]
            if self.options["high_tie"] == "eldest":
                winners = winners[:1]
        elif self.options["draw_pot"] == "return":
            ante = 0
        self.won = winners
        self.tokens = plain_pot(self.playing, winners, ante, bonus, self.pot if winners else 0)
        self.pot -= sum(self.tokens.values())


class Lay:
    """How the cards of Thirty-one lie; a card that nobody has read is ``??``."""

    def __init__(self, seats, dealer, restart):
        self.seats, self.dealer = seats, dealer
        self.hands = {seat: [] for seat in seats}
        self.piles = {"A": list(restart), "B": [], "widow": [], "second": [], "table": []}
        self.discard, self.left, self.called = [], set(), []
        self.knocker = self.restarter = self.drew = None
        self.turns = Counter()
        self.last_turns, self.from_stock = set(), 0

    def is_over(self, options):
        """Whether everybody has had their last turn, or the stock is at its end (SC-6, SC-17)."""
        if self.knocker is not None:
            waits = [seat for seat in self.seats if seat not in self.left | {self.knocker}]
            gate = options["first_knock"] == "out_of_gate" and not sum(self.turns.values())
            return gate or all(seat in self.last_turns for seat in waits)
        dealt = 3 * len(self.seats) + len(self.piles["widow"]) + 1 + self.from_stock
        return options["table"] in ("none", "widow") and dealt == options["deck"] * options["decks"]

    def take(self, event):
        getattr(self, "on_" + event["e"], lambda event: None)(event)

    def on_deal(self, event):
        if "to" in event:
            self.piles[event["to"]].append(event["card"])
        else:
            self.hands[event["seat"]].append(event["card"])

    def on_turn_up(self, event):
        self.discard.append(event["card"])

    def on_choose_hand(self, event):
        seat, second = event["seat"], self.piles.pop("second")
        if event["keep"] == "second":
            self.hands[seat], second = second, self.hands[seat]
        self.piles["A"] = list(event.get("shown") or second)

    def on_draw(self, event):
        card = event.get("card") or "??"
        if event["from"] == "discard":
            card = self.discard.pop()
        else:
            self.from_stock += 1
        self.drew = event["seat"], card
        self.hands[event["seat"]].append(card)

    def on_discard(self, event):
        self.give(event["seat"], event["card"])
        self.discard.append(event["card"])
        self.drew = None
        self.done(event["seat"])

    def give(self, seat, card):
        hand = self.hands[seat]
        hand.remove(card if card in hand else "??")

    def done(self, seat):
        self.turns[seat] += 1
        if self.knocker is not None:
            self.last_turns.add(seat)

    def on_knock(self, event):
        self.knocker = event["seat"]

    def on_stand(self, event):
        self.done(event["seat"])

    def on_leave(self, event):
        self.left.add(event["seat"])

    def on_restart(self, event):
        self.restarter = event["seat"]

    def on_reveal(self, event):
        self.hands[event["seat"]] = list(event["cards"])

    def on_declare(self, event):
        if self.drew is not None:  # an unfinished turn is void (SC-11)
            seat, card = self.drew
            self.give(seat, card)
            self.drew = None
        self.hands[event["seat"]] = list(event["cards"])
        self.called.append(event["seat"])

    def on_widow(self, event):
        widow = self.piles["widow"]
        got = event.get("got") or [widow[place] for place in event["take"]]
        for place, card, new in zip(event["take"], event["give"], got, strict=True):
            self.give(event["seat"], card)
            widow[place] = card
            self.hands[event["seat"]].append(new)
        self.done(event["seat"])

    def on_exchange(self, event):
        pile, place = self.piles[event["hand"]], event["pos"]
        got = event.get("got") or pile[place]
        got = pile[place] if got == "??" else got
        self.give(event["seat"], event["give"])
        self.hands[event["seat"]].append(got)
        pile[place] = event["give"]
        self.done(event["seat"])

    def on_swap(self, event):
        seat = event["seat"]
        if "hand" in event:
            pile = self.piles[event["hand"]]
            gave = event.get("gave") or self.hands[seat]
            self.hands[seat] = list(event.get("got") or pile)
            self.piles[event["hand"]] = list(gave)
        else:
            for card in event["give"]:
                self.give(seat, card)
            self.hands[seat] += event["take"]
        self.done(seat)

    def on_renew(self, event):
        self.piles[event["hand"]] = list(event["cards"])
        if event.get("face", "up") == "up":
            self.done(event["seat"])


def put_right(events):
    """Work every correction into the readings before it (G-10)."""
    found = []
    for event in events:
        if event["e"] != "correct":
            found.append(deepcopy(event))
        elif "face" in event:
            rolls = [one for one in found if one["e"] == "roll" and one["seat"] == event["seat"]]
            rolls[event["roll"]]["faces"][event["pos"]] = event["face"]
        else:
            found = [renamed(one, event["was"], event["card"]) for one in found]
    return found


def renamed(event, was, card):
    def change(value):
        if isinstance(value, list):
            return [change(each) for each in value]
        return card if value == was else value

    return {key: change(value) for key, value in event.items()}
