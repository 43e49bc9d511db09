// The API of Mailgun, as its clients use it: operations, keys, errors. The domain of a path says nothing here: the From address
// decides from which domain a message goes out, and suppressions hold for a workspace.
import { fieldsOfRefusal } from '../../contract/refusal.js';
import { bearerSecretOf } from '../../accounts/access/auth.js';
import type { Vendor } from '../route.js';
import { DOMAIN_ROUTES } from './domains.js';
import { MESSAGE_ROUTES } from './messages.js';
import { SUPPRESSION_ROUTES } from './suppressions.js';
import { TEMPLATE_ROUTES } from './templates.js';
import { WEBHOOK_ROUTES } from './webhooks.js';

/** Statuses that differ there. */
const STATUSES: Readonly<Record<number, number>> = { 422: 400 };

export const MAILGUN: Vendor = {
  name: 'mailgun',
  keyOf: bearerSecretOf,
  takesForms: true,
  /** Its client adds to the links of pages what stands in them already. */
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
  },
  routes: [...MESSAGE_ROUTES, ...SUPPRESSION_ROUTES, ...DOMAIN_ROUTES, ...TEMPLATE_ROUTES, ...WEBHOOK_ROUTES],
  errorAnswer: (refusal, { status }) => {
    const fields = fieldsOfRefusal(refusal);
    const message = fields
      ?.map((one) => (one.path === '' ? one.message : `${one.path}: ${one.message}`))
      .join('; ');
    return { status: STATUSES[status] ?? status, body: { message: message ?? refusal.message } };
  },
};
