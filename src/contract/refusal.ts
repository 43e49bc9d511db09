// Refusals are expected errors, defined in one catalogue. http/errors.ts maps their types to HTTP statuses.

export const ERROR_TYPES = [
  'bad_request',
  'unauthorized',
  'quota_exceeded',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'conflict',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'validation_error',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

/** Every error code with its class and meaning. A test keeps `docs/errors.md` in step. */
export const REFUSALS = {
  bad_request: {
    type: 'bad_request',
    meaning: 'The request could not be parsed. The JSON is malformed, or a header contradicts the body.',
  },
  invalid_cursor: { type: 'bad_request', meaning: 'The cursor does not belong to this list.' },
  cursor_ahead: {
    type: 'conflict',
    meaning:
      'This event belongs to a history that was rolled back by a restore. Resume from `details.resume_after` and reconcile your data.',
  },
  idempotency_key_mismatch: {
    type: 'bad_request',
    meaning: 'The Idempotency-Key header does not match the idempotency_key field.',
  },
  sub_tenant_mismatch: {
    type: 'bad_request',
    meaning:
      'The API key, the X-Sub-Tenant-Id header and the sub_tenant_id field refer to different sub-tenants.',
  },
  unauthorized: { type: 'unauthorized', meaning: 'The API key is missing, unknown, revoked or expired.' },
  sign_in_failed: {
    type: 'unauthorized',
    meaning: 'The email address, password or code is incorrect, or the account is temporarily locked.',
  },
  totp_required: {
    type: 'unauthorized',
    meaning: 'The account uses two-factor authentication. Send `totp` or `recovery_code` with the password.',
  },
  quota_exceeded: {
    type: 'quota_exceeded',
    meaning: "The plan's daily or monthly sending limit has been reached.",
  },
  forbidden: {
    type: 'forbidden',
    meaning: 'The API key lacks the permission required for this operation.',
  },
  session_required: {
    type: 'forbidden',
    meaning: 'This operation requires a signed-in user. API keys cannot use it.',
  },
  csrf_token_invalid: {
    type: 'forbidden',
    meaning: 'Changes made in a signed-in session require its X-CSRF-Token header.',
  },
  address_not_allowed: {
    type: 'forbidden',
    meaning: 'The API key does not allow requests from this IP address.',
  },
  tenant_suspended: {
    type: 'forbidden',
    meaning: 'The sub-tenant is paused, or it is suspended and cannot send live mail.',
  },
  policy_violation: {
    type: 'forbidden',
    meaning:
      'The send policy of the API key does not allow this message. `details.policy_field` names the field of the policy.',
  },
  not_found: {
    type: 'not_found',
    meaning: 'The object does not exist or is not accessible with this API key.',
  },
  recipient_not_in_audience: {
    type: 'not_found',
    meaning: 'The address is not a recipient of this campaign.',
  },
  method_not_allowed: {
    type: 'method_not_allowed',
    meaning: 'Method not allowed for this path. See the `Allow` header.',
  },
  request_timeout: {
    type: 'request_timeout',
    meaning: 'The request timed out before it was complete, and the connection was closed.',
  },
  conflict: {
    type: 'conflict',
    meaning: 'The current state of the object does not allow this operation, or the object already exists.',
  },
  precondition_failed: {
    type: 'precondition_failed',
    meaning:
      'The object has changed since the version given in If-Match. Fetch it again and reapply your change. `details.updated_at` is the time of the latest change.',
  },
  last_owner: { type: 'conflict', meaning: 'An organization must have at least one owner.' },
  already_member: {
    type: 'conflict',
    meaning: 'This email address already belongs to a member of the organization.',
  },
  idempotency_key_reused: {
    type: 'conflict',
    meaning: 'This idempotency key was already used with a different request.',
  },
  idempotency_key_in_use: {
    type: 'conflict',
    meaning:
      'A request with this idempotency key is still in progress. Retry in a moment to get its response.',
  },
  idempotency_answer_lost: {
    type: 'conflict',
    meaning:
      'The first request with this idempotency key succeeded, but its response was not stored. `details.id` is the ID of the object it created.',
  },
  domain_taken: { type: 'conflict', meaning: 'The domain or name is already in use on this server.' },
  list_is_segment: {
    type: 'conflict',
    meaning: 'The list is a segment. Its filter determines the contacts, so you cannot add or remove them.',
  },
  contact_left_list: {
    type: 'conflict',
    meaning: 'The contact unsubscribed from this list. Set `resubscribe` to `true` to add the contact again.',
  },
  slug_taken: { type: 'conflict', meaning: 'Another template already uses this slug.' },
  message_not_cancelable: {
    type: 'conflict',
    meaning: 'Only scheduled or queued messages can be canceled or rescheduled.',
  },
  not_sandbox: {
    type: 'conflict',
    meaning: 'Outcomes can be simulated only for sandbox messages, which are sent with a test key.',
  },
  outcome_impossible: {
    type: 'conflict',
    meaning: "The simulated outcome is not valid after the message's current outcome.",
  },
  campaign_already_sent: {
    type: 'conflict',
    meaning:
      'The campaign is being sent or has been sent. Only draft and scheduled campaigns can be changed.',
  },
  campaign_incomplete: {
    type: 'validation_error',
    meaning: 'The campaign needs a list and a template. `details.fields` lists what is missing.',
  },
  campaign_canceled: { type: 'conflict', meaning: 'The campaign has been canceled.' },
  template_in_use: {
    type: 'conflict',
    meaning:
      'The template is used by sequences, unfinished campaigns or list confirmation emails, which are listed in `details`. Set `force=true` to delete it anyway.',
  },
  already_enrolled: { type: 'conflict', meaning: 'The contact is already enrolled in this sequence.' },
  recipient_suppressed: {
    type: 'conflict',
    meaning: 'The address is suppressed, or the contact has unsubscribed, bounced or complained.',
  },
  file_quota_exceeded: {
    type: 'conflict',
    meaning:
      'The workspace or sub-tenant has reached its storage limit for export and import files. Delete exports that you no longer need.',
  },
  payload_too_large: {
    type: 'payload_too_large',
    meaning: 'The request body exceeds the size limit of this operation.',
  },
  unsupported_media_type: {
    type: 'unsupported_media_type',
    meaning: 'The request body must have the content type application/json.',
  },
  validation_error: {
    type: 'validation_error',
    meaning: 'One or more fields are invalid. See `details.fields`.',
  },
  recipient_not_a_contact: {
    type: 'validation_error',
    meaning: 'Marketing and sales messages can be sent only to contacts.',
  },
  postal_address_required: {
    type: 'validation_error',
    meaning:
      'Marketing and sales messages require a postal address. Ask an admin to set one for the organization.',
  },
  subject_required: {
    type: 'validation_error',
    meaning: 'The message has no subject, and neither does its template.',
  },
  content_required: {
    type: 'validation_error',
    meaning: 'The message has no content. Set `html`, `text` or a template.',
  },
  sender_required: {
    type: 'validation_error',
    meaning:
      'The message has no `from`, and no default sender is set. Set `from` or choose a default sender.',
  },
  sender_not_verified: {
    type: 'validation_error',
    meaning: 'The From address must be a verified sender or be on a verified domain.',
  },
  template_invalid: {
    type: 'validation_error',
    meaning: 'The template contains a syntax error or exceeds a limit.',
  },
  template_not_found: {
    type: 'validation_error',
    meaning: 'The template in the request does not exist.',
  },
  list_not_found: { type: 'validation_error', meaning: 'The list in the request does not exist.' },
  variant_limit: { type: 'validation_error', meaning: 'A campaign can have up to 4 variants.' },
  sub_tenant_not_found: {
    type: 'validation_error',
    meaning: 'The sub-tenant in the request does not exist.',
  },
  webhook_url_not_allowed: {
    type: 'validation_error',
    meaning: 'The webhook URL must resolve to a public HTTP or HTTPS address.',
  },
  rate_limited: {
    type: 'rate_limited',
    meaning: 'Too many requests. Retry after the time given in the Retry-After header.',
  },
  headers_too_large: {
    type: 'headers_too_large',
    meaning: 'The request line and headers exceed 16 KiB, and the connection was closed.',
  },
  internal_error: {
    type: 'internal_error',
    meaning: 'An internal error occurred. The operator can look up the request ID in the server log.',
  },
  unavailable: {
    type: 'unavailable',
    meaning: 'The server or its database is overloaded. Nothing was stored. Retry the request.',
  },
  database_damaged: {
    type: 'unavailable',
    meaning:
      'This request needs a damaged part of the database. Nothing was stored. The server log tells the operator how to repair it.',
  },
  read_too_slow: {
    type: 'unavailable',
    meaning: 'The query took too long. Choose a shorter period or a filter that matches fewer objects.',
  },
} as const satisfies Record<string, { type: ErrorType; meaning: string }>;

export type RefusalCode = keyof typeof REFUSALS;
// The keys of a record with exactly these codes.
export const REFUSAL_CODES = Object.keys(REFUSALS) as RefusalCode[];

export interface FieldProblem {
  /** Dotted path in the request body, such as `attachments.0.content`. */
  path: string;
  message: string;
}

interface RefusalOptions {
  /** The invalid request field. */
  param?: string;
  details?: Record<string, unknown>;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
}

/** An expected error. `message` is one sentence that a developer can act on. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly type: ErrorType;
  readonly param: string | undefined;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: RefusalCode, message?: string, options: RefusalOptions = {}) {
    super(message ?? REFUSALS[code].meaning);
    this.name = 'Refusal';
    this.code = code;
    this.type = REFUSALS[code].type;
    this.param = options.param;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Returns the fields that a refusal names; null if it names none. */
export function fieldsOfRefusal(error: unknown): FieldProblem[] | null {
  const fields = error instanceof Refusal ? error.details?.['fields'] : undefined;
  return Array.isArray(fields) ? (fields as FieldProblem[]) : null;
}

/** Returns a 422 that names each invalid field. */
export function invalidFields(fields: FieldProblem[]): Refusal {
  const first = fields[0];
  // An empty path means the whole body.
  const isNamed = first !== undefined && first.path !== '';
  return new Refusal('validation_error', isNamed ? `${first.path}: ${first.message}` : first?.message, {
    ...(isNamed ? { param: first.path } : {}),
    details: { fields },
  });
}

/**
 * Whether the store or the server was temporarily unavailable, so a retry may succeed. The error says nothing about the request
 * itself.
 */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && error.type === 'unavailable';
}
