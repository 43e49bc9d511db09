// The vendors' webhook formats by name.
import type { VendorFormats } from '../webhooks/format.rules.js';
import { MAILGUN_FORMAT } from './mailgun/webhook-format.js';
import { POSTMARK_FORMAT } from './postmark/webhook-format.js';
import { RESEND_FORMAT } from './resend/webhook-format.js';
import { SES_FORMAT } from './ses/webhook-format.js';
import { createSendgridFormat } from './sendgrid/webhook-format.js';

export function createWebhookFormats(): VendorFormats {
  return {
    resend: RESEND_FORMAT,
    postmark: POSTMARK_FORMAT,
    sendgrid: createSendgridFormat(),
    mailgun: MAILGUN_FORMAT,
    ses: SES_FORMAT,
  };
}
