"""What the functions write is what Django writes, node by node and letter by letter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.template import Context
from django.template.base import Template
from django.template.loader import render_to_string
from django.template.loader_tags import BlockNode
from django.utils.functional import lazystr
from django.utils.safestring import mark_safe
from django.utils.translation import override

from pbem.outbox.rendering import compiled_templates, compose
from pbem.outbox.rendering.compiled_templates import exists, render, render_block
from tests.pbem.outbox.correspondence import Correspondence


@dataclass
class Thing:
    name: str = "Ada & Bruno"
    many: tuple[int, ...] = (1, 2)
    inner: dict[str, Any] = field(default_factory=lambda: {"key": "<k>", "items": "own"})

    def called(self) -> str:
        return "called <here>"

    def with_more(self, what: str) -> str:
        return what

    @property
    def gone(self) -> str:
        raise ObjectDoesNotExist


VALUES: Mapping[str, Any] = {
    "thing": Thing(),
    "text": "a < b",
    "safe": mark_safe("<b>"),
    "lazy": lazystr("l & m"),
    "number": 3,
    "nothing": None,
    "links": ["x", "y"],
    "table": {"items": 7, "a": {"b": "<deep>"}},
    "call": lambda: "from a function",
    "playing": "mail",
}
SNIPPETS = [
    "plain {% load i18n mail %}text",
    "{{ text }} {{ safe }} {{ lazy }} {{ number }} {{ nothing }} {{ missing }} {{ True }}",
    "{{ thing.name }} {{ thing.many.1 }} {{ thing.inner.key }} {{ thing.inner.items }} {{ thing.no.more }}",
    "{{ thing.called }} {{ thing.with_more }} {{ thing.gone }}|{{ call }} {{ table.items }} {{ table.a.b }}",
    "{{ text|upper }} {{ safe|lower }} {{ safe|linebreaksbr }} {{ missing|default:'-' }} {{ text|default:1 }}",
    "{{ links|join:', ' }} {{ links|length }} {{ 'constant <' }} {{ 4 }} {{ number|add:number }}",
    "{% if text %}a{% elif number %}b{% else %}c{% endif %}{% if missing %}a"
    "{% elif nothing %}b{% else %}c{% endif %}",
    "{% if number == 3 and not missing %}a{% endif %}{% if number > text %}b"
    "{% endif %}{% if nothing or safe %}c{% endif %}",
    "{% if 'x' in links and 'z' not in links %}a{% endif %}"
    "{% if nothing is None %}b{% endif %}{% if text is not None %}c{% endif %}",
    "{% if number != 3 or number >= 3 and number <= 3 %}a{% endif %}"
    "{% if text in number %}b{% endif %}{% if number < 3 %}c{% endif %}",
    "{% if missing|default:also_missing %}a{% else %}b{% endif %}",
    "{% with text=number other=thing.name %}{{ text }} {{ other }}{% endwith %}{{ text }}{{ other }}",
    "{% load i18n %}{% translate 'Your turn' %} 100 %{% translate '100%' %}{% translate text %}",
    "{% load i18n %}{% blocktranslate %}{{ playing }}, {{ missing }} & {{ text }} 5%{% endblocktranslate %}",
    "{% load i18n %}{% blocktranslate with name=thing.name %}For {{ name }}{% endblocktranslate %}{{ name }}",
    "{% load i18n %}{% blocktranslate %}No names, 5%{% endblocktranslate %}",
    "{% load i18n %}{% blocktranslate count n=number %}{{ n }} hour"
    "{% plural %}{{ n }} hours{% endblocktranslate %}",
    "{% load i18n %}{% translate 'Name' as said %}{{ said }}",
    "{% autoescape off %}{{ text }}{% autoescape on %}{{ text }}"
    "{% endautoescape %}{{ text|linebreaksbr }}{% endautoescape %}",
    "{% load mail %}{% filter wrapped %}{{ text }} {{ safe }}{% endfilter %}"
    "{% filter upper %}{{ text }}{% endfilter %}",
    "{% for link in links %}{{ forloop.counter }}{{ link }}"
    "{% if thing %}{{ text }}{% endif %}{% endfor %}{{ link }}",
    "{% load i18n %}{% language 'it' %}{% translate 'Your turn' %}{% endlanguage %}{% translate 'Your turn' %}",
    "{% block one %}{{ text }}{% endblock %}",
    "{% include 'mail/parts/state.txt' with yours=True %}"
    "{% include 'mail/parts/state.txt' with mover=text only %}",
    "{% include part %}",
    "",
]


@pytest.fixture
def template(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Template:
    """Under its own words as a name."""
    made, find = Template(request.param), compiled_templates._template
    monkeypatch.setattr(
        compiled_templates, "_template", lambda name: made if name == request.param else find(name)
    )
    return made


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("template", SNIPPETS, indirect=True)
def test_each_node_writes_what_it_would_write(template: Template, language: str) -> None:
    values = {**VALUES, "part": "mail/parts/who_says.txt"}
    with override(language):
        expected = template.render(Context(dict(values)))
        assert render(template.source, values) == expected
        assert render(template.source, values) == expected, "and once more"


def test_what_is_compiled_in_one_language_is_not_said_in_another() -> None:
    yours = {"playing": True, "yours": True}
    with override("en"):
        assert render("mail/parts/state.txt", yours) == "Your turn"
    with override("it"):
        assert render("mail/parts/state.txt", yours) == "Tocca a te"


def test_a_block_alone_is_not_escaped() -> None:
    with override("en"):
        said = render_block("mail/turn.txt", "news", {"written": "d2-f4", "last_mover": "A & B"})
    assert said == "A & B played d2-f4"
    assert render_block("mail/turn.txt", "text", {}) is None, "it has none of its own"
    assert render_block("mail/of_no_kind.txt", "news", {}) is None


def test_a_template_that_is_not_there_is_known() -> None:
    assert exists("mail/section.html")
    assert not exists("mail/turn.html")


@pytest.mark.prove
@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "it"])
def test_every_letter_is_written_as_by_django(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()

    def both(name: str, values: Mapping[str, Any]) -> str:
        seen.add(name)
        made = render(name, values)
        assert made == render_to_string(name, dict(values)), name
        return made

    def both_blocks(name: str, block: str, values: Mapping[str, Any]) -> str | None:
        made = render_block(name, block, values)
        if made is not None:
            seen.add(f"{name}: {block}")
            assert made == _by_django(name, block, values), (name, block)
        return made

    monkeypatch.setattr(compose, "render", both)
    monkeypatch.setattr(compose, "render_block", both_blocks)
    with transaction.atomic():
        Correspondence(language).write()
    assert {"mail/letter.html", "mail/section.html", "mail/turn.txt: lead"} <= seen
    assert len(seen) > 200


def _by_django(name: str, block: str, values: Mapping[str, Any]) -> str:
    template = compiled_templates._template(name)
    nodes = template.nodelist.get_nodes_by_type(BlockNode)
    [node] = [node for node in nodes if isinstance(node, BlockNode) and node.name == block]
    context = Context(dict(values), autoescape=False)
    with context.bind_template(template):
        return str(node.render(context))
