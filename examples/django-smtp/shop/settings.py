"""Settings of the example. Take the e-mail part into your own."""

import os

from django.core.exceptions import ImproperlyConfigured

SECRET_KEY = os.environ.get("SECRET_KEY", "only for this example")
INSTALLED_APPS = ["shop"]
USE_TZ = True

# --- E-mail ---
EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
EMAIL_HOST = os.environ.get("MAILKEEL_SMTP_HOST", "localhost")
EMAIL_PORT = int(os.environ.get("MAILKEEL_SMTP_PORT", "587"))
# STARTTLS: the relay takes no password before it. For port 465 use EMAIL_USE_SSL instead.
EMAIL_USE_TLS = True
# Any name; the password is an API key.
EMAIL_HOST_USER = "mailkeel"
EMAIL_HOST_PASSWORD = os.environ.get("MAILKEEL_API_KEY", "")
# Seconds. Without it a server that hangs keeps the request of your visitor waiting for minutes.
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "The Shop <orders@shop.example>")

# With an empty password Django would not sign in at all, and every mail would be refused.
if not EMAIL_HOST_PASSWORD:
    raise ImproperlyConfigured("Set MAILKEEL_API_KEY to an API key that may send.")
