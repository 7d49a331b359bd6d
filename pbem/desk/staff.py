"""Who works at the desk: accounts and groups, as Django keeps them, in the look of the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import admin
from django.contrib.auth.models import User
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

if TYPE_CHECKING:
    ModelAdmin = object
    DjangoUsers = admin.UserAdmin[User]
else:
    from unfold.admin import ModelAdmin

    DjangoUsers = admin.UserAdmin


class UserAdmin(DjangoUsers, ModelAdmin):
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm


class GroupAdmin(admin.GroupAdmin, ModelAdmin):
    pass
