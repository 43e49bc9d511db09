// Refusals: the expected noes, from one catalogue. No HTTP status here; api/errors maps a type to its status.

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

/** Every precise reason, with its class and what it means to the caller. `docs/errors.md` is kept in step by a test. */
export const REFUSALS = {
  bad_request: {
    type: 'bad_request',
    meaning: 'The request could not be read: broken JSON, or headers that contradict the body.',
  },
  invalid_cursor: { type: 'bad_request', meaning: 'The cursor was not issued by this list.' },
  cursor_ahead: {
    type: 'conflict',
    meaning:
      'The event is of a history that a restore from a backup has undone. Go on after details.resume_after, and compare what you have with the appliance.',
  },
  idempotency_key_mismatch: {
    type: 'bad_request',
    meaning: 'The Idempotency-Key header and the idempotency_key field differ.',
  },
  sub_tenant_mismatch: {
    type: 'bad_request',
    meaning: 'The key, the X-Sub-Tenant-Id header and the sub_tenant_id field name different sub-tenants.',
  },
  unauthorized: { type: 'unauthorized', meaning: 'The API key is missing, unknown, revoked or expired.' },
  sign_in_failed: {
    type: 'unauthorized',
    meaning: 'The address, the password or the code is wrong, or the account is locked for a while.',
  },
  totp_required: {
    type: 'unauthorized',
    meaning: 'The account has a second factor: send totp or recovery_code with the password.',
  },
  quota_exceeded: { type: 'quota_exceeded', meaning: 'The plan has no sends left in this day or month.' },
  forbidden: {
    type: 'forbidden',
    meaning: 'The key does not have the permission that this operation needs.',
  },
  session_required: {
    type: 'forbidden',
    meaning: 'This operation is for people who have signed in; a key cannot use it.',
  },
  csrf_token_invalid: {
    type: 'forbidden',
    meaning: 'A change by a signed-in person needs the X-CSRF-Token of the session.',
  },
  address_not_allowed: { type: 'forbidden', meaning: 'The key may not be used from this client address.' },
  tenant_suspended: {
    type: 'forbidden',
    meaning: 'The sub-tenant is paused; or it is suspended, and the send is live.',
  },
  not_found: { type: 'not_found', meaning: 'No such object in the scope of this key.' },
  recipient_not_in_audience: {
    type: 'not_found',
    meaning: "The address is not one of the campaign's recipients.",
  },
  method_not_allowed: {
    type: 'method_not_allowed',
    meaning: 'The path is known, but not for this method; the header Allow names those it has.',
  },
  request_timeout: {
    type: 'request_timeout',
    meaning: 'The request did not arrive in time; the connection is closed.',
  },
  conflict: {
    type: 'conflict',
    meaning: 'The state of the object does not allow this, or the object already exists.',
  },
  precondition_failed: {
    type: 'precondition_failed',
    meaning:
      'If-Match names another version of the object: it was changed after you read it. Read it again and repeat the change; `details.updated_at` is the time of its last change.',
  },
  last_owner: { type: 'conflict', meaning: 'An organization keeps at least one owner.' },
  already_member: { type: 'conflict', meaning: 'The address belongs to a member of the organization.' },
  idempotency_key_reused: {
    type: 'conflict',
    meaning: 'The idempotency key was used before with a different request.',
  },
  idempotency_key_in_use: {
    type: 'conflict',
    meaning:
      'A request with this idempotency key is still being worked on; repeat it in a moment for its answer.',
  },
  idempotency_answer_lost: {
    type: 'conflict',
    meaning:
      'The first request with this idempotency key took effect, but its answer was not stored; details.id names the object that it made.',
  },
  domain_taken: { type: 'conflict', meaning: 'The domain or name is already in use here.' },
  list_is_segment: {
    type: 'conflict',
    meaning:
      'The list is a segment: its filter decides who is in it, and contacts cannot be added or removed.',
  },
  contact_left_list: {
    type: 'conflict',
    meaning: 'The person has left this list on their own; `resubscribe: true` puts them back.',
  },
  slug_taken: { type: 'conflict', meaning: 'Another template has this slug.' },
  message_not_cancelable: {
    type: 'conflict',
    meaning: 'Only a scheduled or queued message can be canceled or rescheduled.',
  },
  not_sandbox: {
    type: 'conflict',
    meaning: 'Outcomes are simulated for sandbox messages, made with a test key.',
  },
  outcome_impossible: {
    type: 'conflict',
    meaning: 'The simulated outcome cannot follow the earlier outcome of the message.',
  },
  campaign_already_sent: {
    type: 'conflict',
    meaning: 'The campaign has been sent, or is being sent; only a draft or a scheduled one can be changed.',
  },
  campaign_incomplete: {
    type: 'validation_error',
    meaning: 'The campaign has no list or no template yet; details.fields names what is missing.',
  },
  campaign_canceled: { type: 'conflict', meaning: 'The campaign is canceled.' },
  template_in_use: {
    type: 'conflict',
    meaning:
      'Sequences, unfinished campaigns or the confirmation mail of lists use the template; `details` names them. `force=true` deletes it anyway.',
  },
  already_enrolled: { type: 'conflict', meaning: 'The contact is in this sequence already.' },
  recipient_suppressed: {
    type: 'conflict',
    meaning: 'The address is suppressed, or the contact has opted out, bounced or complained.',
  },
  file_quota_exceeded: {
    type: 'conflict',
    meaning:
      'The files of exports and imports of the workspace or sub-tenant have reached their quota. Delete exports that are no longer needed.',
  },
  payload_too_large: {
    type: 'payload_too_large',
    meaning: 'The body is larger than this operation accepts.',
  },
  unsupported_media_type: { type: 'unsupported_media_type', meaning: 'The body must be application/json.' },
  validation_error: {
    type: 'validation_error',
    meaning: 'One or more fields are invalid; details.fields names each.',
  },
  recipient_not_a_contact: {
    type: 'validation_error',
    meaning: 'Marketing and sales messages go to contacts only.',
  },
  postal_address_required: {
    type: 'validation_error',
    meaning: 'Marketing and sales messages need a postal address. An admin sets it for the organization.',
  },
  subject_required: {
    type: 'validation_error',
    meaning: 'The request has no subject and the template supplies none.',
  },
  content_required: {
    type: 'validation_error',
    meaning: 'The message has neither html, nor text, nor a template.',
  },
  sender_required: {
    type: 'validation_error',
    meaning:
      'The message has no `from`, and there is no default sender. Name a sender, or make one the default.',
  },
  sender_not_verified: {
    type: 'validation_error',
    meaning: 'The From address is neither on a verified domain nor a verified sender.',
  },
  template_invalid: {
    type: 'validation_error',
    meaning: 'The template has a syntax error or exceeds a limit.',
  },
  template_not_found: {
    type: 'validation_error',
    meaning: 'The template named in the request does not exist.',
  },
  list_not_found: { type: 'validation_error', meaning: 'The list named in the request does not exist.' },
  variant_limit: { type: 'validation_error', meaning: 'A campaign has at most 4 variants.' },
  sub_tenant_not_found: {
    type: 'validation_error',
    meaning: 'The sub-tenant named in the request does not exist.',
  },
  webhook_url_not_allowed: {
    type: 'validation_error',
    meaning: 'The webhook URL does not lead to a public http(s) address.',
  },
  rate_limited: { type: 'rate_limited', meaning: 'Too many requests; Retry-After says when to try again.' },
  headers_too_large: {
    type: 'headers_too_large',
    meaning: 'The request line and header fields are larger than 16 KiB; the connection is closed.',
  },
  internal_error: {
    type: 'internal_error',
    meaning: 'The server failed. The operator finds the fault in the log by the request id.',
  },
  unavailable: {
    type: 'unavailable',
    meaning: 'The store or the server is overloaded; nothing was stored. Try again.',
  },
  database_damaged: {
    type: 'unavailable',
    meaning:
      'A damaged part of the database is needed for this; nothing was stored. The operator finds in the log what to do.',
  },
  read_too_slow: {
    type: 'unavailable',
    meaning: 'Reading took too long. Ask for less: a shorter period, or a filter that matches fewer objects.',
  },
} as const satisfies Record<string, { type: ErrorType; meaning: string }>;

export type RefusalCode = keyof typeof REFUSALS;
// the keys of a record over exactly these
export const REFUSAL_CODES = Object.keys(REFUSALS) as RefusalCode[];

export interface FieldProblem {
  /** Dotted path in the request body, e.g. `attachments.0.content`. */
  path: string;
  message: string;
}

export interface RefusalOptions {
  /** The request field at fault. */
  param?: string;
  details?: Record<string, unknown>;
}

/** An expected no. `message` is one sentence a developer can act on. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly type: ErrorType;
  readonly param: string | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: RefusalCode, message?: string, options: RefusalOptions = {}) {
    super(message ?? REFUSALS[code].meaning);
    this.name = 'Refusal';
    this.code = code;
    this.type = REFUSALS[code].type;
    this.param = options.param;
    this.details = options.details;
  }
}

/** The fields that a refusal names; null when it names none. */
export function fieldsOfRefusal(error: unknown): FieldProblem[] | null {
  const fields = error instanceof Refusal ? error.details?.['fields'] : undefined;
  return Array.isArray(fields) ? (fields as FieldProblem[]) : null;
}

/** A 422 that names each field at fault. */
export function invalidFields(fields: FieldProblem[]): Refusal {
  const first = fields[0];
  // an empty path is the body as a whole
  const isNamed = first !== undefined && first.path !== '';
  return new Refusal('validation_error', isNamed ? `${first.path}: ${first.message}` : first?.message, {
    ...(isNamed ? { param: first.path } : {}),
    details: { fields },
  });
}

/** Whether the store or the server could not do it now: the same may work later, and says nothing of what was asked. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Refusal && error.type === 'unavailable';
}
