# Sends by django-anymail through the vendors' backends: django_mail.py URL KEY DOMAIN
import sys
from email.mime.base import MIMEBase

import django
from django.conf import settings

url, key, domain = sys.argv[1:]
compat = url + "/compat/"
settings.configure(
    ANYMAIL={
        "MAILGUN_API_KEY": key,
        "MAILGUN_API_URL": compat + "mailgun/v3",
        "MAILGUN_SENDER_DOMAIN": "shop.example",
        "POSTMARK_SERVER_TOKEN": key,
        "POSTMARK_API_URL": compat + "postmark/",
        "SENDGRID_API_KEY": key,
        "SENDGRID_API_URL": compat + "sendgrid/v3/",
        "SENDGRID_GENERATE_MESSAGE_ID": False,
    }
)
django.setup()

from anymail.message import AnymailMessage, attach_inline_image
from django.core.mail import get_connection


# The backend fills templates of this vendor only if their ids begin with d-.
TEMPLATES = {"sendgrid": "d-welcome"}


def backend(name):
    return get_connection("anymail.backends.%s.EmailBackend" % name)


def whole(name):
    to = "anymail-%s@%s" % (name, domain)
    message = AnymailMessage(
        subject="Grüße von \"Müller & Söhne\"",
        body="Schöne Grüße",
        from_email="\"Jörg Müller, Söhne\" <orders@shop.example>",
        to=["\"Smith, Ann\" <%s>" % to],
        cc=["Çelik <cc.%s>" % to],
        bcc=["bcc.%s" % to],
        reply_to=["Hilfe <help@elsewhere.example>"],
        headers={"X-Order": "4711"},
        tags=["welcome"],
        metadata={"order": "4711"},
        track_clicks=False,
        track_opens=False,
        connection=backend(name),
    )
    cid = attach_inline_image(message, b"\x89PNG inline", filename="logo.png", subtype="png")
    message.attach_alternative("<p>Schöne Grüße <img src=\"cid:%s\"></p>" % cid, "text/html")
    message.attach("Rechnung März.pdf", b"%PDF file", "application/pdf")
    message.send()
    print(name, "whole", sorted((to, one.status) for to, one in message.anymail_status.recipients.items()))


def template(name):
    message = AnymailMessage(
        from_email="orders@shop.example",
        to=["template.anymail-%s@%s" % (name, domain)],
        connection=backend(name),
        merge_global_data={"name": "Jürgen"},
        track_clicks=False,
        track_opens=False,
    )
    message.template_id = TEMPLATES.get(name, "welcome")
    message.send()
    print(name, "template", message.anymail_status.status)


def batch(name):
    to = {"a": "Ann", "b": "Bernd"}
    message = AnymailMessage(
        from_email="orders@shop.example",
        to=["%s.anymail-%s@%s" % (part, name, domain) for part in to],
        connection=backend(name),
        merge_data={"%s.anymail-%s@%s" % (part, name, domain): {"name": value} for part, value in to.items()},
        track_clicks=False,
        track_opens=False,
    )
    message.template_id = TEMPLATES.get(name, "welcome")
    message.send()
    print(name, "batch", message.anymail_status.status)


for name in ["postmark", "sendgrid", "mailgun"]:
    for case in [whole, template, batch]:
        try:
            case(name)
        except Exception as error:
            print(name, case.__name__, "FAILED", str(error)[:2000].replace("\n", " | "))
