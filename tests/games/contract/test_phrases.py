"""The contract of phrases: whatever a game says has a sentence in every language."""

from itertools import chain

from games.kit.words import speech
from games.protocol import LANGUAGES, Notation
from games.registry import find


def test_whatever_it_says_becomes_a_sentence(subject, language):
    words = speech(subject.game, subject.rules, Notation(language))
    said = [words.outcome(position.outcome()) for position in subject.finals]
    for before, move, after in subject.turns:
        scene = subject.game.scene(before, move, after)
        said += [words.changes(scene), *(words.remark("notes", note) for note in scene.notes)]
    at_the_end = [map(position.objection, subject.tries) for position in subject.finals]
    objections = {*chain(*at_the_end, *subject.objections)} - {None}
    said += [words.remark("objections", objection) for objection in objections]
    assert not [sentence for sentence in said if not sentence.strip() or "{" in sentence]


def test_both_languages_have_the_same_phrases(subject):
    said = [dict(subject.game.phrases(language)) for language in LANGUAGES]
    for phrases in said:
        phrases.pop("spellings", None)  # only where a language has words of its own
    keys = [_keys(phrases) for phrases in said]
    assert keys[0] == keys[1]


def test_sides_and_variants_have_names(subject, language):
    phrases = subject.game.phrases(language)
    assert phrases["name"]
    assert phrases["summary"]
    assert phrases["sides"].keys() == set(subject.game.sides)
    assert phrases["variants"].keys() == subject.game.presets.keys()
    said = {name: tuple(values) for name, values in phrases.get("switches", {}).items()}
    assert said == {name: switch.values for name, switch in subject.game.switches.items()}


def test_switches_may_be_written_in_the_words_of_a_language(subject, language):
    for part, written in subject.game.phrases(language).get("spellings", {}).items():
        assert find(f"{subject.game.key}:{written}") == find(f"{subject.game.key}:{part}")


def test_the_rules_can_be_read(subject, language):
    assert subject.game.rules_page(language).startswith("# ")


def _keys(table, path=""):
    """Every path of a phrases table."""
    if not isinstance(table, dict):
        return {path}
    return {key for name, entry in table.items() for key in _keys(entry, f"{path}.{name}")}
