// The package's entry. Exports the client, the helpers that work without a client, errors and types.
export { Mailkeel } from './client.js';
export type { Environment, LogEntry, MailkeelOptions, RenderReact, SessionOption } from './config.js';
export { API_VERSION } from './config.js';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  CursorAheadError,
  EventResetError,
  ConnectionError,
  InputError,
  NotFoundError,
  PermissionError,
  MailkeelError,
  QuotaError,
  RateLimitError,
  ServerError,
  SignatureError,
  TimeoutError,
  ValidationError,
} from './errors.js';
export type { ErrorCode, ErrorType, Problem } from './errors.js';
export type { ApiPromise, WithResponse } from './api-promise.js';
export type { EventStreamOptions, StreamConnection } from './event-stream.js';
export type { List, Page } from './list.js';
export { proofs } from './proofs.js';
export type { ProofVerdict } from './proofs.js';
export type { RequestOptions } from './request.js';
export type { Body, Query } from './routes.js';
export { webhooks } from './webhooks.js';
export type { RawBody, SignedHeaders, SignOptions, VerifyOptions } from './webhooks.js';
export type * from './types.js';
