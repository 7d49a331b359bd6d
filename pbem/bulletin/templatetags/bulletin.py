"""Template filters of bulletins."""

from django import template

from pbem.bulletin import issue

register = template.Library()
register.filter("md", issue.plain)
