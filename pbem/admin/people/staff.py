"""Staff accounts and groups at the desk: Django's, with our audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import admin
from django.contrib.auth.models import User
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from pbem.admin.base import audit_log
from pbem.admin.base.audited_admin import AuditedAdmin

if TYPE_CHECKING:
    DjangoUsers = admin.UserAdmin[User]
else:
    DjangoUsers = admin.UserAdmin


class UserAdmin(DjangoUsers, AuditedAdmin):
    unaudited = ("last_login",)
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm

    def seen(self, row: User) -> audit_log.Seen:
        """Adds the groups, which give the permissions."""
        return {**super().seen(row), "groups": sorted(row.groups.values_list("name", flat=True))}


class GroupAdmin(admin.GroupAdmin, AuditedAdmin):
    pass
