// Mailgun's API: operations, keys and errors. The domain in the path has no effect, because the From address determines the
// sending domain and suppressions apply to a workspace.
import { fieldsOfRefusal } from '../../contract/refusal.js';
import { readBearerSecret } from '../../accounts/access/auth.js';
import type { Vendor } from '../route.js';
import { DOMAIN_ROUTES } from './domains.js';
import { MESSAGE_ROUTES } from './messages.js';
import { MIME_ROUTES } from './mime.js';
import { NOT_SERVED } from './not-served.js';
import { SUPPRESSION_ROUTES } from './suppressions.js';
import { TEMPLATE_ROUTES } from './templates.js';
import { WEBHOOK_ROUTES } from './webhooks.js';

/** Statuses that differ from those of /v1. */
const STATUSES: Readonly<Record<number, number>> = { 422: 400 };

export const MAILGUN: Vendor = {
  name: 'mailgun',
  keyOf: readBearerSecret,
  takesForms: true,
  /** Mailgun's client repeats parameters that page links already contain. */
  readQuery: (query) =>
    Object.fromEntries(
      Object.entries(query).map(([name, value]) => [
        name,
        Array.isArray(value) ? (value.at(-1) as unknown) : value,
      ]),
    ),
  fields: {
    send_at: 'o:deliverytime',
    tags: 'o:tag',
    metadata: 'v:*',
    headers: 'h:*',
    reply_to: 'h:Reply-To',
    variables: 't:variables',
    template_id: 'template',
    attachments: 'attachment',
    email: 'address',
    require_tls: 'o:require-tls',
    domain: 'name',
    slug: 'name',
    raw: 'message',
  },
  routes: [
    ...MESSAGE_ROUTES,
    ...MIME_ROUTES,
    ...SUPPRESSION_ROUTES,
    ...DOMAIN_ROUTES,
    ...TEMPLATE_ROUTES,
    ...WEBHOOK_ROUTES,
  ],
  notServed: NOT_SERVED,
  errorAnswer: (refusal, { status }) => {
    const fields = fieldsOfRefusal(refusal);
    const message = fields
      ?.map((one) => (one.path === '' ? one.message : `${one.path}: ${one.message}`))
      .join('; ');
    return { status: STATUSES[status] ?? status, body: { message: message ?? refusal.message } };
  },
};
