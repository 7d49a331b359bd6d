"""Settings that no operator changes, such as apps and the look of the admin; part of `pbem.settings`."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOT_URLCONF = "pbem.urls"
WSGI_APPLICATION = "pbem.wsgi.application"
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
STATIC_URL = "static/"
WHITENOISE_USE_FINDERS = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGES = [("en", "English"), ("it", "Italiano")]
LOCALE_PATHS = [ROOT / "pbem" / "locale"]
FORMAT_MODULE_PATH = "pbem.formats"
USE_TZ = True
INSTALLED_APPS = [
    "pbem.demo",
    "pbem.operator",
    "pbem.admin",
    "pbem.inbox",
    "pbem.robots",
    "pbem.outbox",
    "pbem.analysis",
    "pbem.competitions",
    "pbem.ratings",
    "pbem.matches",
    "pbem.players",
    "unfold",  # before the admin, which it restyles
    "django.contrib.admin.apps.SimpleAdminConfig",  # the desk is loaded with the web's addresses: pbem/urls.py
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "pbem.headers.Headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "pbem.admin.people.second_factor.SecondFactorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
UNFOLD = {
    "SITE_TITLE": "PBeM",
    "SITE_HEADER": "PBeM",
    "SITE_SYMBOL": "mail",
    "COLORS": "pbem.admin.base.look.colours",
    "STYLES": ["pbem.admin.base.look.style"],
    "SCRIPTS": ["pbem.admin.base.look.script"],
    "DASHBOARD_CALLBACK": "pbem.admin.dashboard.fill",
    "SIDEBAR": {"navigation": "pbem.admin.navigation.drawers"},
    "LOGIN": {"form": "pbem.admin.people.sign_in.SignInForm"},
    "ACCOUNT": {"navigation": "pbem.admin.navigation.own_account"},
    "SHOW_HISTORY": False,
    "BORDER_RADIUS": "4px",
}
X_FRAME_OPTIONS = "SAMEORIGIN"  # the desk shows letters in frames
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [
            ROOT / "templates",
            ROOT / "pbem" / "templates",
        ],  # the second in a wheel, see deploy/wheel.py
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
