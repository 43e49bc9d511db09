"""python manage.py send_receipt ann@example.com --order 4711"""

import smtplib

from django.core.mail import EmailMultiAlternatives
from django.core.management.base import BaseCommand, CommandError
from django.utils.html import escape


class Command(BaseCommand):
    help = "Sends the receipt of an order."

    def add_arguments(self, parser):
        parser.add_argument("address")
        parser.add_argument("--order", required=True)

    def handle(self, *args, address, order, **options):
        mail = EmailMultiAlternatives(
            subject=f"Your receipt, order {order}",
            body=f"Thank you for your order {order}.\n",
            to=[address],
            # The relay reads these header fields and removes them; docs/relay.md lists all of them.
            headers={
                # One receipt for each order, even if this command runs again because the answer was lost.
                "X-Service-Idempotency-Key": f"receipt-{order}",
                "X-Service-Tag": "receipt",
                "X-Service-Metadata-Order": order,
            },
        )
        mail.attach_alternative(f"<p>Thank you for your order {escape(order)}.</p>", "text/html")
        try:
            mail.send()
        except smtplib.SMTPDataError as error:
            if error.smtp_code != 550 or not error.smtp_error.startswith(b"5.5.4"):
                raise CommandError(f"The relay refused the mail: {error}") from error
            # The key was used before. Django writes a new Message-ID each time, so the relay sees another message.
            self.stdout.write(f"Receipt {order} was sent before.")
            return
        except smtplib.SMTPException as error:
            # The relay's reply gives the reason, such as an unverified sender, a wrong key or a rate limit.
            raise CommandError(f"The relay refused the mail: {error}") from error
        except OSError as error:
            raise CommandError(f"The relay cannot be reached: {error}") from error
        self.stdout.write(f"Receipt {order} is on its way to {address}.")
