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
            # Read by the relay and taken out of the mail; see docs/relay.md for more of them.
            headers={
                # One receipt for each order, also when this command runs again because the answer was lost.
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
            # The key was used before. Django writes another Message-ID each time, so it is not the very same mail.
            self.stdout.write(f"Receipt {order} was sent before.")
            return
        except smtplib.SMTPException as error:
            # The relay's reply says what to do: a sender that is not verified, a wrong key, too much at once.
            raise CommandError(f"The relay refused the mail: {error}") from error
        except OSError as error:
            raise CommandError(f"The relay cannot be reached: {error}") from error
        self.stdout.write(f"Receipt {order} is on its way to {address}.")
