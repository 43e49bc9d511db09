// SendGrid's API: operations, keys and errors.
import { fieldsOfRefusal } from '../../contract/refusal.js';
import { readBearerSecret } from '../../accounts/access/auth.js';
import type { Vendor } from '../route.js';
import { ACCOUNT_ROUTES } from './account.js';
import { DOMAIN_ROUTES } from './domains.js';
import { MAIL_ROUTES } from './mail.js';
import { MARKETING_ROUTES } from './marketing.js';
import { STATS_ROUTES } from './stats.js';
import { NOT_SERVED } from './not-served.js';
import { SUPPRESSION_ROUTES } from './suppressions.js';
import { TEMPLATE_ROUTES } from './templates.js';

/** Statuses that differ from those of /v1. */
const STATUSES: Readonly<Record<number, number>> = { 402: 429, 409: 400, 422: 400 };

export const SENDGRID: Vendor = {
  name: 'sendgrid',
  keyOf: readBearerSecret,
  fields: {
    messages: 'personalizations',
    html: 'content',
    text: 'content',
    tags: 'categories',
    metadata: 'custom_args',
    variables: 'dynamic_template_data',
    template: 'template_id',
    domain: 'domain',
    created_after: 'start_time',
    created_before: 'end_time',
  },
  routes: [
    ...MAIL_ROUTES,
    ...SUPPRESSION_ROUTES,
    ...STATS_ROUTES,
    ...MARKETING_ROUTES,
    ...TEMPLATE_ROUTES,
    ...DOMAIN_ROUTES,
    ...ACCOUNT_ROUTES,
  ],
  notServed: NOT_SERVED,
  errorAnswer: (refusal, { status }) => {
    const fields = fieldsOfRefusal(refusal) ?? [{ path: refusal.param ?? '', message: refusal.message }];
    const errors = fields.map(({ path, message }) => ({
      message: path === '' || message.startsWith(path) ? message : `${path}: ${message}`,
      field: path === '' ? null : path,
      help: null,
    }));
    return { status: STATUSES[status] ?? status, body: { errors } };
  },
};
