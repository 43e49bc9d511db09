"""Settings of the example. Copy the email part into your own settings."""

import os

from django.core.exceptions import ImproperlyConfigured

SECRET_KEY = os.environ.get("SECRET_KEY", "only for this example")
INSTALLED_APPS = ["shop"]
USE_TZ = True

# --- Email ---
EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
EMAIL_HOST = os.environ.get("MAILKEEL_SMTP_HOST", "localhost")
EMAIL_PORT = int(os.environ.get("MAILKEEL_SMTP_PORT", "587"))
# STARTTLS is required before the password. For port 465, use EMAIL_USE_SSL instead.
EMAIL_USE_TLS = True
# The relay accepts any name. The password is an API key.
EMAIL_HOST_USER = "mailkeel"
EMAIL_HOST_PASSWORD = os.environ.get("MAILKEEL_API_KEY", "")
# Seconds. Without a timeout, a server that hangs delays the request of your visitor for minutes.
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "The Shop <orders@shop.example>")

# With an empty password, Django does not sign in, and the relay refuses every message.
if not EMAIL_HOST_PASSWORD:
    raise ImproperlyConfigured("Set MAILKEEL_API_KEY to an API key that may send.")
