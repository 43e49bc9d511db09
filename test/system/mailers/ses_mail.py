# Sends MIME messages by boto3 through both APIs of Amazon SES: ses_mail.py URL KEY_ID SECRET DOMAIN
import sys
from email.message import EmailMessage
from email.utils import formataddr

import boto3

url, key_id, secret, domain = sys.argv[1:]


def client(name):
    return boto3.client(
        name,
        endpoint_url=url + "/compat/ses",
        region_name="eu-central-1",
        aws_access_key_id=key_id,
        aws_secret_access_key=secret,
    )


def whole(to):
    message = EmailMessage()
    message["From"] = formataddr(("Jörg Müller, Söhne", "orders@shop.example"))
    message["To"] = formataddr(("Smith, Ann", to))
    message["Cc"] = formataddr(("Çelik", "cc." + to))
    message["Reply-To"] = formataddr(("Hilfe", "help@elsewhere.example"))
    message["Subject"] = "Grüße von \"Müller & Söhne\""
    message["X-Order"] = "4711"
    message["X-Service-Tag"] = "welcome"
    message["X-Service-Metadata"] = "{\"order\":\"4711\"}"
    message.set_content("Schöne Grüße")
    message.add_alternative("<p>Schöne Grüße <img src=\"cid:logo@shop\"></p>", subtype="html")
    html = message.get_payload()[1]
    html.add_related(b"\x89PNG inline", "image", "png", cid="<logo@shop>", filename="logo.png", disposition="inline")
    message.add_attachment(b"%PDF file", "application", "pdf", filename="Rechnung März.pdf")
    return message.as_bytes()


def everybody(to):
    return [to, "cc." + to, "bcc." + to]


to = "boto3-ses@" + domain
sent = client("ses").send_raw_email(
    Source="orders@shop.example", Destinations=everybody(to), RawMessage={"Data": whole(to)}
)
print("ses whole", sent["MessageId"])
to = "boto3-sesv2@" + domain
sent = client("sesv2").send_email(
    FromEmailAddress="orders@shop.example",
    Destination={"ToAddresses": [to], "CcAddresses": ["cc." + to], "BccAddresses": ["bcc." + to]},
    Content={"Raw": {"Data": whole(to)}},
)
print("sesv2 whole", sent["MessageId"])
