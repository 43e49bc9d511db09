// Postmark's API: operations, keys and errors.
import { UnknownOperation, type Vendor } from '../route.js';
import { BOUNCE_ROUTES } from './bounces.js';
import { EMAIL_ROUTES } from './emails.js';
import { ENGAGEMENT_ROUTES } from './engagement.js';
import { vendorError } from './errors.js';
import { INBOUND_ROUTES } from './inbound.js';
import { MESSAGE_ROUTES } from './messages.js';
import { SERVER_ROUTES } from './server.js';
import { STATS_ROUTES } from './stats.js';
import { NOT_SERVED } from './not-served.js';
import { SUPPRESSION_ROUTES } from './suppressions.js';
import { TEMPLATE_ROUTES } from './templates.js';
import { WEBHOOK_ROUTES } from './webhooks.js';

const KEY = /^[\x21-\x7e]{1,200}$/;

export const POSTMARK: Vendor = {
  name: 'postmark',
  isTracked: false,
  keyOf: (headers) => {
    const token = headers['x-postmark-server-token'];
    return typeof token === 'string' && KEY.test(token) ? token : null;
  },
  /** Postmark's clients spell parameters in several ways. */
  readQuery: (query) =>
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value])),
  fields: {
    url: 'Url',
    from: 'From',
    to: 'To',
    cc: 'Cc',
    bcc: 'Bcc',
    reply_to: 'ReplyTo',
    subject: 'Subject',
    html: 'HtmlBody',
    text: 'TextBody',
    tags: 'Tag',
    headers: 'Headers',
    attachments: 'Attachments',
    metadata: 'Metadata',
    template: 'TemplateAlias',
    template_id: 'TemplateAlias',
    variables: 'TemplateModel',
    name: 'Name',
    slug: 'Alias',
    email: 'EmailAddress',
  },
  routes: [
    ...EMAIL_ROUTES,
    ...MESSAGE_ROUTES,
    ...ENGAGEMENT_ROUTES,
    ...BOUNCE_ROUTES,
    ...SUPPRESSION_ROUTES,
    ...TEMPLATE_ROUTES,
    ...STATS_ROUTES,
    ...WEBHOOK_ROUTES,
    ...SERVER_ROUTES,
    ...INBOUND_ROUTES,
  ],
  notServed: NOT_SERVED,
  errorAnswer: (refusal, { status, path }) => {
    const [ErrorCode, own] =
      refusal instanceof UnknownOperation ? [status, status] : vendorError(refusal.code, path);
    return { status: own ?? status, body: { ErrorCode, Message: refusal.message } };
  },
};
