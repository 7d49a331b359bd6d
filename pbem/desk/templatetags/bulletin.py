"""What the templates of bulletins need to say."""

from django import template

from pbem.desk.bulletin import markup

register = template.Library()
register.filter("md", markup.plain)
