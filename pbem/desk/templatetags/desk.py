"""What the templates of the desk need to say."""

from django import template

from pbem.desk.verdicts import named

register = template.Library()
register.filter("verdict", named)
