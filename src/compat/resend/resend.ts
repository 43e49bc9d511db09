// Resend's API: operations, keys and errors.
import type { Refusal, RefusalCode } from '../../contract/refusal.js';
import { readBearerSecret } from '../../accounts/access/auth.js';
import type { Vendor } from '../route.js';
import { API_KEY_ROUTES } from './api-keys.js';
import { AUDIENCE_ROUTES } from './audience.js';
import { DOMAIN_ROUTES } from './domains.js';
import { EMAIL_ROUTES } from './emails.js';
import { NOT_SERVED } from './not-served.js';
import { RECEIVING_ROUTES } from './receiving.js';
import { SUPPRESSION_ROUTES } from './suppressions.js';
import { TEMPLATE_ROUTES } from './templates.js';
import { WEBHOOK_ROUTES } from './webhooks.js';

/** The vendor's names and statuses of errors. */
const ERRORS: Partial<Record<RefusalCode, [name: string, status: number]>> = {
  unauthorized: ['invalid_api_key', 401],
  forbidden: ['restricted_api_key', 403],
  address_not_allowed: ['invalid_access', 403],
  not_found: ['not_found', 404],
  idempotency_key_reused: ['invalid_idempotent_request', 409],
  idempotency_key_in_use: ['concurrent_idempotent_requests', 409],
  quota_exceeded: ['daily_quota_exceeded', 429],
  rate_limited: ['rate_limit_exceeded', 429],
  sender_not_verified: ['invalid_from_address', 422],
  sender_required: ['invalid_from_address', 422],
};

export const RESEND: Vendor = {
  name: 'resend',
  isTracked: false,
  keyOf: readBearerSecret,
  fields: {
    url: 'endpoint',
    send_at: 'scheduled_at',
    topic: 'topic_id',
    template_id: 'template.id',
    variables: 'template.variables',
    domain: 'name',
    slug: 'alias',
    status: 'unsubscribed',
    metadata: 'properties',
  },
  routes: [
    ...EMAIL_ROUTES,
    ...DOMAIN_ROUTES,
    ...AUDIENCE_ROUTES,
    ...TEMPLATE_ROUTES,
    ...SUPPRESSION_ROUTES,
    ...WEBHOOK_ROUTES,
    ...API_KEY_ROUTES,
    ...RECEIVING_ROUTES,
  ],
  notServed: NOT_SERVED,
  errorAnswer: (refusal, { status }) => {
    const [name, statusCode] = ERRORS[refusal.code] ?? [nameOf(refusal), status];
    return { status: statusCode, body: { statusCode, name, message: refusal.message } };
  },
};

function nameOf({ type, message }: Refusal): string {
  if (type === 'internal_error') return 'internal_server_error';
  if (type === 'unavailable') return 'application_error';
  return message.endsWith(': is required') ? 'missing_required_field' : 'validation_error';
}
