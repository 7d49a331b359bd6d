"""Settings that no operator changes, such as apps and the look of the admin; part of `pbem.settings`."""

from datetime import timedelta
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
    "django_otp",  # before our admin, which takes its pages away
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "pbem.demo",
    "pbem.operator",
    "pbem.site",
    "pbem.bulletin",
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
    "axes",
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
    "django_otp.middleware.OTPMiddleware",
    "pbem.admin.people.sign_in.SecondFactorMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",  # the last, as its own documentation asks
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
# Guesses lock a name for the address that guesses, never for its owner elsewhere.
AXES_LOCKOUT_PARAMETERS = [["ip_address", "username"]]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # what was not looked at makes nothing longer
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "pbem.admin.people.sign_in.counted_address"
AXES_USERNAME_CALLABLE = "pbem.admin.people.sign_in.account_name"
AXES_LOCKOUT_CALLABLE = "pbem.admin.people.sign_in.own_answer"
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "email", "code", "csrfmiddlewaretoken"]
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
# Wrong codes in a row make the next wait 0.01, 0.02, 0.04 … seconds, wherever they come from: hours after
# some twenty-five. Recovery codes are too long to be guessed, and never wait.
OTP_TOTP_THROTTLE_FACTOR = 0.01
OTP_STATIC_THROTTLE_FACTOR = 0
UNFOLD = {
    "SITE_TITLE": "PBeM",
    "SITE_HEADER": "PBeM",
    "SITE_SYMBOL": "mail",
    "COLORS": "pbem.admin.navigation.colours",
    "STYLES": ["pbem.admin.navigation.style"],
    "SCRIPTS": ["pbem.admin.navigation.script"],
    "DASHBOARD_CALLBACK": "pbem.admin.dashboard.fill",
    "SIDEBAR": {"navigation": "pbem.admin.navigation.drawers"},
    "LOGIN": {"form": "pbem.admin.people.sign_in.SignInForm"},
    "ACCOUNT": {"navigation": "pbem.admin.navigation.own_account"},
    "SHOW_HISTORY": False,
    "BORDER_RADIUS": "4px",
}
X_FRAME_OPTIONS = "SAMEORIGIN"  # the desk shows letters in frames
LOADERS = [
    "django.template.loaders.filesystem.Loader",
    "django.template.loaders.app_directories.Loader",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [
            ROOT / "templates",
            ROOT / "pbem" / "templates",
        ],  # the second in a wheel, see deploy/wheel.py
        "OPTIONS": {
            "loaders": [
                ("template_partials.loader.Loader", [("django.template.loaders.cached.Loader", LOADERS)])
            ],
            "builtins": [
                "django.templatetags.i18n",
                "template_partials.templatetags.partials",  # part of Django 6
                "pbem.outbox.templatetags.mail",
            ],
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
