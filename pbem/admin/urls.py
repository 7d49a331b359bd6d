"""The URLs of the desk, named in pbem/urls.py and loaded with the first request for one of them: loading them
takes a third of a process's start, and a quarter of its memory."""

from django.contrib import admin

admin.autodiscover()
urlpatterns = admin.site.get_urls()
