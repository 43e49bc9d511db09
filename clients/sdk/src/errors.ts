// Errors of a call. Every error of the SDK is a MailkeelError; an abort by the caller's own signal is passed on as it is.
import type { components } from './openapi.js';

/** The precise reason of a refusal; the catalogue is docs/errors.md of the appliance. Newer servers may know more. */
export type ErrorCode = components['schemas']['ErrorCode'] | (string & {});
/** The class of a refusal, one for each HTTP status. */
export type ErrorType = components['schemas']['ErrorType'] | (string & {});

/** A field at fault: its dotted path in the request, and a sentence. */
export interface Problem {
  path: string;
  message: string;
}

export class MailkeelError extends Error {
  override name = 'MailkeelError';
}

/** A call that cannot succeed, refused before anything was sent. `problems` names every field at fault. */
export class InputError extends MailkeelError {
  override name = 'InputError';
  readonly code = 'invalid_input' as const;
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join(' '));
    this.problems = problems;
  }
}

/** No answer came: the connection could not be made or broke, also after the retries. `cause` has the runtime's error. */
export class ConnectionError extends MailkeelError {
  override name = 'ConnectionError';
}

/** No answer came within `timeoutMs`, also after the retries. The server may have done what was asked all the same. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number) {
    super(message);
    this.timeoutMs = timeoutMs;
  }
}

/** A refusal as the server answered it. */
export interface Refused {
  status: number;
  code: ErrorCode;
  type: ErrorType;
  message: string;
  /** Finds the request in the log of the server. */
  requestId: string | null;
  /** The request field at fault, where there is one. */
  param: string | null;
  details: Readonly<Record<string, unknown>>;
  /** Seconds that the server asks to wait. */
  retryAfter: number | null;
}

/** The server refused the request, or failed. Branch on `code`; the sentence in `message` is for people. */
export class ApiError extends MailkeelError {
  override name = 'ApiError';
  /** What happened and what to do, as the server wrote it for people; `message` names status, code and request besides. */
  readonly sentence: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly type: ErrorType;
  readonly requestId: string | null;
  readonly param: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfter: number | null;

  constructor(refused: Refused) {
    const request = refused.requestId === null ? '' : `, request ${refused.requestId}`;
    super(`${refused.message} (${refused.status} ${refused.code}${request})`);
    this.sentence = refused.message;
    this.status = refused.status;
    this.code = refused.code;
    this.type = refused.type;
    this.requestId = refused.requestId;
    this.param = refused.param;
    this.details = refused.details;
    this.retryAfter = refused.retryAfter;
  }

  /** Every field at fault; empty where the refusal is not about fields. */
  get problems(): readonly Problem[] {
    const { fields } = this.details;
    if (Array.isArray(fields)) return fields as Problem[];
    return this.param === null ? [] : [{ path: this.param, message: this.sentence }];
  }
}

/** 400, 413, 415, 422, 431: the request itself is wrong, and will be refused again as it is. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}

/** 401: the key or session is missing, unknown, revoked or expired. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 402: the plan has no sends left in this day or month. */
export class QuotaError extends ApiError {
  override name = 'QuotaError';
}

/** 403: the key or the person may not do this. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}

/** 404: no such object in the scope of the key. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409: the object is in a state, or exists already, so that this cannot be done. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/**
 * 409 `cursor_ahead`: the appliance was restored from a backup, and the place that the call named is of the history that this has
 * undone. Events after `resumeAfter` are new; what came later than that before is not known to the appliance any more.
 */
export class CursorAheadError extends ConflictError {
  override name = 'CursorAheadError';

  /** The id of the last event that both histories share. */
  get resumeAfter(): string {
    return String(this.details['resume_after']);
  }
}

/** The same, met by a stream without `onReset`. */
export class EventResetError extends MailkeelError {
  override name = 'EventResetError';
  readonly resumeAfter: string;

  constructor(resumeAfter: string) {
    super(
      `The appliance was restored from a backup: events that were seen are undone. Go on with lastEventId ${resumeAfter}.`,
    );
    this.resumeAfter = resumeAfter;
  }
}

/** 429, also after the retries. `retryAfter` says in how many seconds to try again. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 5xx, also after the retries. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

/** A webhook that is not genuine, too old, or not a webhook. `reason` tells which. */
export class SignatureError extends MailkeelError {
  override name = 'SignatureError';
  readonly reason: 'no_signature' | 'bad_signature' | 'bad_time' | 'bad_body';

  constructor(reason: SignatureError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The error of the class that goes with the status. */
export function apiErrorOf(refused: Refused): ApiError {
  const { status } = refused;
  if (status >= 500) return new ServerError(refused);
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
    case 431:
      return new ValidationError(refused);
    case 401:
      return new AuthenticationError(refused);
    case 402:
      return new QuotaError(refused);
    case 403:
      return new PermissionError(refused);
    case 404:
      return new NotFoundError(refused);
    case 409:
      return refused.code === 'cursor_ahead' ? new CursorAheadError(refused) : new ConflictError(refused);
    case 429:
      return new RateLimitError(refused);
    default:
      return new ApiError(refused);
  }
}
