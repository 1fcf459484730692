"""What the croupier says: the sentence for every ordinary moment of a hand, from the view alone."""

from __future__ import annotations

from collections.abc import Mapping

from display.i18n.translate import N_, Translator
from display.prompts.prompt import Prompt, PromptKind, player_name
from display.prompts.scat import scat_prompt
from engine.core.cards import Suit
from engine.core.views import Phase, ResultView, SeatStatus, View

BONE_MOMENT_CARDS = 3
"""The Bone is decided on the third card (rule BA-2); a fourth means that play has begun."""


SUIT_ACES: Mapping[Suit, str] = {
    # Translators: with the article, as in "{ace} is the highest" of the cut.
    Suit.SPADES: N_("the ace of spades"),
    Suit.HEARTS: N_("the ace of hearts"),
    Suit.DIAMONDS: N_("the ace of diamonds"),
    Suit.CLUBS: N_("the ace of clubs"),
}


def prompt_for(view: View, language: str = "en") -> Prompt:
    """Return what the croupier says at this moment of an ordinary hand."""
    _ = Translator.of(language)
    if view.is_of("scat"):
        said = scat_prompt(view, language)
        if said is not None:
            return said
    match view.phase:
        case Phase.CUT:
            return _cut(view, _)
        case Phase.DEAL:
            return _deal(view, _)
        case Phase.PLAY:
            return _play(view, language)
        case Phase.SHOWDOWN:
            return _showdown(view, _)
        case Phase.DONE:
            return _done(view, _)
        case _:
            return Prompt(_("One moment, please"))


def bone_prompt(view: View, language: str = "en") -> Prompt:
    """Return the sentence of the Bone-Ace moment: who takes the Bone and who pays (rule BA-3).

    Raises:
        ValueError: the view has no Bone; ask only when ``view.bone`` is set.
    """
    if view.bone is None:
        raise ValueError("this view has no Bone; ask for bone_prompt only when view.bone is set")
    _ = Translator.of(language)
    return Prompt(_bone_title(view, _), _bone_pays(view, _), kind=PromptKind.INFO)


def is_bone_moment(view: View) -> bool:
    """Say whether the Bone was just decided: it is held, and nobody has acted in play yet."""
    return (
        view.bone is not None
        and view.phase is Phase.PLAY
        and not view.card_asked
        and all(len(seat.cards) <= BONE_MOMENT_CARDS for seat in view.seats)
        and all(seat.status is not SeatStatus.STUCK for seat in view.seats)
    )


def bone_line(view: View, language: str = "en") -> str:
    """Return one sentence on what the Bone paid; empty when the view has no Bone."""
    if view.bone is None:
        return ""
    _ = Translator.of(language)
    group = _bone_payers(view)
    if group is not None and len(group[0]) > 1 and len(group[0]) == len(view.seats) - 1:
        sentence = _.plural(
            "Everyone pays {to} {n} token for the Bone.",
            "Everyone pays {to} {n} tokens for the Bone.",
            group[1],
        )
        return sentence.format(to=player_name(view, view.bone.holder, _), n=group[1])
    return _bone_pays(view, _)


def payment_lines(view: View, language: str = "en") -> tuple[str, ...]:
    """Return one sentence for each sum that somebody is paid for the game; the Bone is apart."""
    if view.result is None:
        return ()
    _ = Translator.of(language)
    groups: dict[tuple[int, int], list[int]] = {}
    for payer, payee, tokens in view.result.payments:
        if tokens:
            groups.setdefault((payee, tokens), []).append(payer)
    return tuple(
        _pays(view, payers, payee, tokens, _) for (payee, tokens), payers in groups.items()
    )


def _bone_title(view: View, _: Translator) -> str:
    holder = player_name(view, view.bone.holder, _) if view.bone else ""
    return _("{name} takes the Bone").format(name=holder)


def _bone_payers(view: View) -> tuple[list[int], int] | None:
    """Return who pays for the Bone and how much each; ``None`` when they pay different sums."""
    if view.bone is None:
        return None
    holder = view.bone.holder
    payers = [(seat, -net) for seat, net in view.bone.payments if net < 0 and seat != holder]
    if len({tokens for _seat, tokens in payers}) != 1:
        return None
    return [seat for seat, _tokens in payers], payers[0][1]


def _bone_pays(view: View, _: Translator) -> str:
    if view.bone is None:
        return ""
    group = _bone_payers(view)
    if group is not None:
        return _pays(view, group[0], view.bone.holder, group[1], _)
    name = player_name(view, view.bone.holder, _)
    gain = dict(view.bone.payments).get(view.bone.holder, 0)
    if gain <= 0:
        return _("{name} holds the Bone.").format(name=name)
    return _.plural(
        "{name} takes {n} token for the Bone.", "{name} takes {n} tokens for the Bone.", gain
    ).format(name=name, n=gain)


def _names(view: View, seats: tuple[int, ...], _: Translator) -> str:
    return _.names([player_name(view, seat, _) for seat in seats])


def _pays(view: View, payers: list[int], payee: int, tokens: int, _: Translator) -> str:
    to = player_name(view, payee, _)
    if len(payers) > 1 and len(payers) == len(view.seats) - 1:
        sentence = _.plural(
            "Everyone pays {to} {n} token.", "Everyone pays {to} {n} tokens.", tokens
        )
        return sentence.format(to=to, n=tokens)
    who = _names(view, tuple(payers), _)
    if len(payers) == 1:
        sentence = _.plural("{who} pays {to} {n} token.", "{who} pays {to} {n} tokens.", tokens)
    else:
        sentence = _.plural(
            "{who} pay {to} {n} token each.", "{who} pay {to} {n} tokens each.", tokens
        )
    return sentence.format(who=who, to=to, n=tokens)


def _dealer_name(view: View, _: Translator) -> str | None:
    return None if view.dealer is None else player_name(view, view.dealer, _)


def _cut(view: View, _: Translator) -> Prompt:
    title = _("Cut for the deal")
    if len(view.to_cut) == 1:
        title = _("{name}: cut for the deal").format(name=player_name(view, view.to_cut[0], _))
    detail = _("The lowest card deals.")
    if view.cut_high is not None:
        ace = _(SUIT_ACES[view.cut_high.suit])
        detail = _("The lowest card deals; {ace} is the highest.").format(ace=ace)
    return Prompt(title, detail, kind=PromptKind.TURN)


def _deal(view: View, _: Translator) -> Prompt:
    dealer = _dealer_name(view, _)
    detail = _("{name} deals.").format(name=dealer) if dealer else ""
    if view.deal_to is None:
        return Prompt(_("Deal three cards to each player"), detail, kind=PromptKind.TURN)
    seat, face_up = view.deal_to
    sentence = _("{name}: next card face up") if face_up else _("{name}: next card face down")
    return Prompt(sentence.format(name=player_name(view, seat, _)), detail, kind=PromptKind.TURN)


def _play(view: View, language: str) -> Prompt:
    _ = Translator.of(language)
    if view.turn is None:
        return Prompt(_("One moment, please"))
    name = player_name(view, view.turn, _)
    if view.stage is not None:
        return _throw(view, view.turn, name, _)
    if view.card_asked:
        dealer = _dealer_name(view, _)
        detail = ""
        if dealer and view.dealer == view.turn:
            detail = _("{name}, the dealer, takes one card.").format(name=dealer)
        elif dealer:
            detail = _("{name} deals one card.").format(name=dealer)
        return Prompt(_("A card for {name}").format(name=name), detail, kind=PromptKind.TURN)
    if is_bone_moment(view):
        detail = bone_line(view, language)
    else:
        count = len(view.seat(view.turn).cards)
        detail = _.plural("{n} card in hand.", "{n} cards in hand.", count).format(n=count)
    return Prompt(_("{name}: stick, or have it?").format(name=name), detail, kind=PromptKind.TURN)


def _throw(view: View, turn: int, name: str, _: Translator) -> Prompt:
    """Return what One-and-Twenty asks of the player whose turn it is (rules KB-4, KB-5, KB-17)."""
    total, due = view.seat(turn).total, view.bones_due
    if view.stage == "first":
        sentence = _.plural("{name}: throw {n} bone", "{name}: throw {n} bones", due)
        nobody = not any(seat.throws for seat in view.seats)
        detail = _("Stakes first: HAVE one more, STICK one less.") if nobody else ""
        return Prompt(sentence.format(name=name, n=due), detail, kind=PromptKind.TURN)
    if due:
        sentence = _.plural("{name}: throw {n} more bone", "{name}: throw {n} more bones", due)
        detail = _("{total} so far.").format(total=total)
        return Prompt(sentence.format(name=name, n=due), detail, kind=PromptKind.TURN)
    if view.stage == "one":
        sentence = _("{name} has {total}: one more bone, or stick?")
    else:
        sentence = _("{name} has {total}: how many more bones?")
    return Prompt(sentence.format(name=name, total=total), kind=PromptKind.TURN)


def _showdown(view: View, _: Translator) -> Prompt:
    if len(view.to_reveal) == 1:
        title = _("{name}: show your cards").format(name=player_name(view, view.to_reveal[0], _))
        return Prompt(title, _("Turn every card face up."), kind=PromptKind.TURN)
    detail = _("{names}: turn every card face up.").format(names=_names(view, view.to_reveal, _))
    return Prompt(_("Show your cards"), detail if view.to_reveal else "", kind=PromptKind.TURN)


def _done(view: View, _: Translator) -> Prompt:
    if view.result is None:
        return Prompt(_("The hand is over"), _("NEXT: go on."))
    said = f"{_next_deal(view, view.result, _)} {_('NEXT: go on.')}"
    return Prompt(_ending(view, view.result, _), said)


def _ending(view: View, result: ResultView, _: Translator) -> str:
    if result.end == "misdeal":
        return _("Misdeal: the hand is void")
    if result.end in ("compared", "all-bust"):
        return _against_the_bank(view, result, _)
    if not result.winners:
        return _("Everyone is out: nobody wins")
    name = _names(view, result.winners, _)
    if len(result.winners) > 1:
        return _("{names} share the win").format(names=name)
    if result.end == "thirty-one":
        return _("{name} has 31 and wins").format(name=name)
    if result.end == "dealer-wins":
        return _("{name}, the dealer, wins").format(name=name)
    total = view.seat(result.winners[0]).total
    if result.end == "showdown" and total is not None:
        return _("{name} wins with {total}").format(name=name, total=total)
    return _("{name} wins").format(name=name)


def _against_the_bank(view: View, result: ResultView, _: Translator) -> str:
    """Return who beat the bank in One-and-Twenty (rules KB-8 to KB-10)."""
    if not result.winners:
        return _("Nobody beats the bank")
    names = _names(view, result.winners, _)
    return _.plural("{names} beats the bank", "{names} beat the bank", len(result.winners)).format(
        names=names
    )


def _next_deal(view: View, result: ResultView, _: Translator) -> str:
    if result.next_dealer is None:
        return _("Cut for the next deal.")
    name = player_name(view, result.next_dealer, _)
    if result.end in ("compared", "all-bust"):
        return _("{name} is the banker next.").format(name=name)
    if result.end == "misdeal":
        return _("{name} deals again; everything paid goes back.").format(name=name)
    if result.end in ("dealer-wins", "sole-survivor"):
        return _("All the others are out. {name} deals next.").format(name=name)
    return _("{name} deals next.").format(name=name)
