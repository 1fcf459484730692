"""What the croupier says at every ordinary moment of a card game, from the view alone.

With *guided* a prompt is made for people who have never played: its keys tell what the buttons do,
and its detail tells what to do with the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.core.cards import Suit
from engine.core.messages.message import Message, Value, as_sentence, as_title, plural, sentences
from engine.core.messages.prompt import KeyHint, Prompt, PromptKind, player_name, player_names
from engine.core.messages.words import count
from engine.core.outcome import Bone
from engine.core.views import Phase, ResultView, SeatStatus, View

BONE_MOMENT_CARDS = 3
"""The Bone is decided on the third card (rule BA-2); a fourth means that play has begun."""

SUIT_ACES: Mapping[Suit, Message] = {
    # Translators: with the article, as in "{ace} is the highest" of the cut.
    Suit.SPADES: Message("the ace of spades"),
    Suit.HEARTS: Message("the ace of hearts"),
    Suit.DIAMONDS: Message("the ace of diamonds"),
    Suit.CLUBS: Message("the ace of clubs"),
}

ONE_MORE_CARD = (KeyHint("have", Message("one more card")), KeyHint("stick", Message("no more")))


def card_prompt(view: View, *, guided: bool = False) -> Prompt:
    """Return what is said at this moment of a hand of a card game."""
    match view.phase:
        case Phase.CUT:
            return _cut(view, guided)
        case Phase.DEAL:
            return _deal(view, guided)
        case Phase.PLAY:
            prompt = _play(view)
            keys = ONE_MORE_CARD if guided and not view.card_asked else ()
            return replace(prompt, keys=keys)
        case Phase.SHOWDOWN:
            return _showdown(view)
        case Phase.DONE if view.result is not None:
            return done(view, _ending(view, view.result), _next_deal(view, view.result), guided)
        case Phase.DONE:
            return done(view, Message("The hand is over"), "", guided)
        case _:
            return Prompt(Message("One moment, please"))


def bone_prompt(view: View) -> Prompt:
    """Return the prompt of the Bone-Ace moment: who takes the Bone and who pays (rule BA-3).

    Raises:
        ValueError: the view has no Bone; ask only when ``view.bone`` is set.
    """
    if view.bone is None:
        raise ValueError("this view has no Bone; ask for bone_prompt only when view.bone is set")
    title = Message("{name} takes the Bone", name=player_name(view, view.bone.holder))
    return Prompt(title, _bone_pays(view, view.bone), kind=PromptKind.INFO)


def is_bone_moment(view: View) -> bool:
    """Return whether the Bone was just decided: nobody has acted in play yet."""
    return (
        view.bone is not None
        and view.phase is Phase.PLAY
        and not view.card_asked
        and all(len(seat.cards) <= BONE_MOMENT_CARDS for seat in view.seats)
        and all(seat.status is not SeatStatus.STUCK for seat in view.seats)
    )


def bone_line(view: View) -> Value:
    """Return one sentence on what the Bone paid; empty when the view has no Bone."""
    if view.bone is None:
        return ""
    everyone = plural(
        "Everyone pays {n} token to {to} for the Bone.",
        "Everyone pays {n} tokens to {to} for the Bone.",
    )
    return _bone_pays(view, view.bone, everyone)


def payment_lines(view: View) -> tuple[Value, ...]:
    """Return one sentence for each sum that somebody is paid for the game; the Bone is apart."""
    if view.result is None:
        return ()
    groups: dict[tuple[int, int], list[int]] = {}
    for payer, payee, tokens in view.result.payments:
        if tokens:
            groups.setdefault((payee, tokens), []).append(payer)
    return tuple(_pays(view, payers, payee, tokens) for (payee, tokens), payers in groups.items())


def done(view: View, title: Value, detail: Value, guided: bool) -> Prompt:
    """Return the prompt of a hand that is over: *title* how, *detail* what follows."""
    if not guided:
        return Prompt(title, sentences(detail, Message("NEXT: go on.")))
    over = view.match is not None and view.match.over
    key = KeyHint("next", Message("the end") if over else Message("next hand"))
    detail = sentences(detail, Message("Clear the mat for the next hand."))
    return Prompt(title, detail, keys=(key,))


def shuffled_first(view: View, detail: Value) -> Value:
    """Return *detail* of a deal for beginners: before the first card the pack is shuffled."""
    if any(seat.cards for seat in view.seats):
        return detail
    if view.cuts:
        return sentences(Message("Take your cards up again; shuffle."), detail)
    return sentences(Message("Shuffle."), detail)


def dealt(view: View) -> Value:
    """Return what is to be dealt face down where nobody tells the table each card."""
    shuffle = Message("Take your cards up again; shuffle.") if view.cuts else Message("Shuffle.")
    cards = count(min(len(seat.cards) for seat in view.seats), "card")
    name = player_name(view, view.dealer)
    deals = Message("{name} deals {cards} to each player, face down.", name=name, cards=cards)
    return sentences(shuffle, deals)


def cut(view: View) -> Value:
    """Return how the deal is cut for where nobody tells the table; empty once somebody has."""
    if view.phase is not Phase.CUT or (view.cuts and not _is_tie(view)):
        return ""
    prompt = _cut(view, guided=True)
    return sentences(as_sentence(prompt.title), prompt.detail)


def _is_tie(view: View) -> bool:
    return len(view.to_cut) > 1 and {*view.to_cut} <= {seat for seat, _card in view.cuts}


_EVERYONE = plural("Everyone pays {n} token to {to}.", "Everyone pays {n} tokens to {to}.")


def _bone_pays(view: View, bone: Bone, everyone: tuple[str, str] = _EVERYONE) -> Value:
    """Return who paid for the Bone: all the others alike, the pool, or nobody."""
    net = dict(bone.payments)
    payers = [seat for seat, tokens in net.items() if tokens < 0]
    if payers:
        return _pays(view, payers, bone.holder, -net[payers[0]], everyone)
    name, gain = player_name(view, bone.holder), net.get(bone.holder, 0)
    if not gain:
        return Message("{name} holds the Bone.", name=name)
    said = plural("{name} takes {n} token for the Bone.", "{name} takes {n} tokens for the Bone.")
    return Message(*said, gain, name=name, n=gain)


def _pays(
    view: View,
    payers: list[int],
    payee: int,
    tokens: int,
    everyone: tuple[str, str] = _EVERYONE,
) -> Value:
    if len(payers) > 1 and len(payers) == len(view.seats) - 1:
        said = everyone
    elif len(payers) == 1:
        said = plural("{who} pays {n} token to {to}.", "{who} pays {n} tokens to {to}.")
    else:
        said = plural("{who} pay {n} token each to {to}.", "{who} pay {n} tokens each to {to}.")
    who, to = player_names(view, payers), player_name(view, payee)
    return Message(*said, tokens, who=who, to=to, n=tokens)


def _cut(view: View, guided: bool) -> Prompt:
    title: Value = Message("Cut for the deal")
    if _is_tie(view):
        names = player_names(view, view.to_cut)
        title = as_title(Message("A tie: {names} cut again.", names=names))
    elif len(view.to_cut) == 1:
        title = Message("{name}: cut for the deal", name=player_name(view, view.to_cut[0]))
    detail = Message("The lowest card deals.")
    if guided:
        detail = Message("Lay one card face up before you. The lowest deals the cards.")
    elif view.cut_high is not None:
        ace = SUIT_ACES[view.cut_high.suit]
        detail = Message("The lowest card deals; {ace} is the highest.", ace=ace)
    return Prompt(title, detail, kind=PromptKind.TURN)


def _deal(view: View, guided: bool) -> Prompt:
    detail: Value = ""
    if view.dealer is not None:
        detail = Message("{name} deals.", name=player_name(view, view.dealer))
    if guided:
        detail = shuffled_first(view, detail)
    if view.deal_to is None:
        return Prompt(Message("Deal three cards to each player"), detail, kind=PromptKind.TURN)
    seat, face_up = view.deal_to
    name = player_name(view, seat)
    title = (
        Message("{name}: next card face up", name=name)
        if face_up
        else Message("{name}: next card face down", name=name)
    )
    return Prompt(title, detail, kind=PromptKind.TURN)


def _play(view: View) -> Prompt:
    if view.turn is None:
        return Prompt(Message("One moment, please"))
    name = player_name(view, view.turn)
    if view.card_asked:
        detail: Value = ""
        dealer = player_name(view, view.dealer)
        if dealer and view.dealer == view.turn:
            detail = Message("{name}, the dealer, takes one card.", name=dealer)
        elif dealer:
            detail = Message("{name} deals one card.", name=dealer)
        return Prompt(Message("A card for {name}", name=name), detail, kind=PromptKind.TURN)
    if is_bone_moment(view):
        detail = bone_line(view)
    else:
        number = len(view.seat(view.turn).cards)
        detail = Message("{n} card in hand.", "{n} cards in hand.", number, n=number)
    title = Message("{name}: stick, or have it?", name=name)
    return Prompt(title, detail, kind=PromptKind.TURN)


def _showdown(view: View) -> Prompt:
    if len(view.to_reveal) == 1:
        title = Message("{name}: show your cards", name=player_name(view, view.to_reveal[0]))
        return Prompt(title, Message("Turn every card face up."), kind=PromptKind.TURN)
    detail: Value = ""
    if view.to_reveal:
        names = player_names(view, view.to_reveal)
        detail = Message("{names}: turn every card face up.", names=names)
    return Prompt(Message("Show your cards"), detail, kind=PromptKind.TURN)


def _ending(view: View, result: ResultView) -> Value:
    if result.end == "misdeal":
        return Message("Misdeal: the hand is void")
    if not result.winners:
        return Message("Everyone is out: nobody wins")
    names = player_names(view, result.winners)
    if len(result.winners) > 1:
        return Message("{names} share the win", names=names)
    if result.end == "thirty-one":
        return Message("{name} has 31 and wins", name=names)
    if result.end == "dealer-wins":
        return Message("{name}, the dealer, wins", name=names)
    total = view.seat(result.winners[0]).total
    if result.end == "showdown" and total is not None:
        return Message("{name} wins with {total}", name=names, total=total)
    return Message("{name} wins", name=names)


def _next_deal(view: View, result: ResultView) -> Value:
    if result.next_dealer is None:
        return Message("Cut for the next deal.")
    name = player_name(view, result.next_dealer)
    if result.end == "misdeal":
        return Message("{name} deals again; everything paid goes back.", name=name)
    if result.end in ("dealer-wins", "sole-survivor"):
        return Message("All the others are out. {name} deals next.", name=name)
    return Message("{name} deals next.", name=name)
