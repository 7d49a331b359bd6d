"""What the templates of bulletins need to say."""

from django import template

from pbem.desk.bulletin import issue

register = template.Library()
register.filter("md", issue.plain)
