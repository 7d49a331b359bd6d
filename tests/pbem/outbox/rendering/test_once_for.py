"""What follows from a value is rendered once for it."""

from django.template import Context, Template


def test_it_is_rendered_again_for_another_value_alone() -> None:
    template = Template("{% load mail %}{% once_for look %}{{ look }}, {{ asked }}{% end_once %}")
    shown = [template.render(Context({"look": look, "asked": asked})) for asked, look in enumerate("aab")]
    assert shown == ["a, 0", "a, 0", "b, 2"]
