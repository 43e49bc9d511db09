// Errors of a call. Every error of the SDK is a MailkeelError, except an abort by the caller's own signal, which the SDK passes on
// unchanged.
import type { components } from './openapi.js';

/**
 * Error code of a refused request. See docs/errors.md for the full list. Newer servers may return codes that are
 * not listed.
 */
export type ErrorCode = components['schemas']['ErrorCode'] | (string & {});
/** Error type. Each type corresponds to one HTTP status. */
export type ErrorType = components['schemas']['ErrorType'] | (string & {});

/** An invalid field, with its dotted path in the request and a message. */
export interface Problem {
  path: string;
  message: string;
}

export class MailkeelError extends Error {
  override name = 'MailkeelError';
}

/** Invalid input, detected before the request was sent. `problems` lists every invalid field. */
export class InputError extends MailkeelError {
  override name = 'InputError';
  readonly code = 'invalid_input' as const;
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ message }) => message).join(' '));
    this.problems = problems;
  }
}

/**
 * No response was received because the connection failed, including after retries. `cause` is the runtime's error.
 */
export class ConnectionError extends MailkeelError {
  override name = 'ConnectionError';
}

/**
 * No response was received within `timeoutMs`, including after retries. The server may still have processed the
 * request.
 */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number) {
    super(message);
    this.timeoutMs = timeoutMs;
  }
}

/** An error response from the server. */
export interface Refused {
  status: number;
  code: ErrorCode;
  type: ErrorType;
  message: string;
  /** Request ID. Use it to find the request in the server's log. */
  requestId: string | null;
  /** The invalid request field, or null. */
  param: string | null;
  details: Readonly<Record<string, unknown>>;
  /** Seconds to wait before retrying, as requested by the server, or null. */
  retryAfter: number | null;
}

/** The server refused the request or failed. Branch on `code`; `message` is for people and may change. */
export class ApiError extends MailkeelError {
  override name = 'ApiError';
  /** The server's explanation of the error. `message` also contains the status, code and request ID. */
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

  /** Every invalid field. Empty if the error is not about fields. */
  get problems(): readonly Problem[] {
    const { fields } = this.details;
    if (Array.isArray(fields)) return fields as Problem[];
    return this.param === null ? [] : [{ path: this.param, message: this.sentence }];
  }
}

/** 400, 413, 415, 422 or 431: the request is invalid. Retrying it unchanged fails again. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}

/** 401: the API key or session is missing, unknown, revoked or expired. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}

/** 402: the plan's daily or monthly sending limit has been reached. */
export class QuotaError extends ApiError {
  override name = 'QuotaError';
}

/** 403: the API key or user lacks the required permission. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}

/** 404: the object does not exist or is outside the scope of the API key. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409: the current state of the object does not allow the request, or the object already exists. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/**
 * 409 `cursor_ahead`: the cursor belongs to a history that was rolled back by a restore from a backup. Events
 * after `resumeAfter` are new, and the server no longer knows the later events you received before the restore.
 */
export class CursorAheadError extends ConflictError {
  override name = 'CursorAheadError';

  /** ID of the last event before the histories diverge. */
  get resumeAfter(): string {
    return String(this.details['resume_after']);
  }
}

/** Thrown by an event stream without `onReset` after a restore from a backup. */
export class EventResetError extends MailkeelError {
  override name = 'EventResetError';
  readonly resumeAfter: string;

  constructor(resumeAfter: string) {
    super(
      `The server was restored from a backup, so some events you received were rolled back. Resume with lastEventId ${resumeAfter}.`,
    );
    this.resumeAfter = resumeAfter;
  }
}

/** 429: rate limited, including after retries. `retryAfter` is the number of seconds to wait. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}

/** 5xx: the server failed, including after retries. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

/** A webhook with an invalid, expired or missing signature, or a body that is not an event. `reason` says which. */
export class SignatureError extends MailkeelError {
  override name = 'SignatureError';
  readonly reason: 'no_signature' | 'bad_signature' | 'bad_time' | 'bad_body';

  constructor(reason: SignatureError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Returns an error of the class for the status. */
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
