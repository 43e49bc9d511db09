// The tables of requests to the API themselves, and of the links that need no key.
import type { Flag, Instant, Json } from './columns.js';

/** A request that had an Idempotency-Key, from its first change on. */
export interface IdempotentRequestTable {
  /** Where the key counts: an environment or an organization, a sub-tenant, and the operation. */
  place: string;
  key: string;
  /** Of the request, by chance. */
  id: string;
  /** SHA-256 of the request. */
  fingerprint: Uint8Array;
  /** What its first change made; null: nothing that has an id. */
  made_id: string | null;
  /** Of the answer; null: there is none yet, or there never was one. */
  status: number | null;
  /** The body of the answer, sealed: it may hold a secret that is shown once. */
  answer: string | null;
  created_at: Instant;
}

/** A request with a caller, without secrets, content and persons. */
export interface RequestLogTable {
  id: string;
  environment_id: number;
  sub_tenant_id: string | null;
  actor_kind: 'api_key' | 'user';
  actor_id: string;
  /** The operationId. */
  operation: string;
  method: string;
  /** What of it can be nothing but an id or a name of ours; the rest is named as the route names it. */
  path: string;
  status: number;
  /** Of the error, with the field or header that it names; null of a success. */
  code: string | null;
  param: string | null;
  duration_ms: number;
  request_id: string;
  /** Redacted; null: there was none. */
  query: Json | null;
  body: Json | null;
  at: Instant;
}

/** A page that others see without a key. */
export interface ShareLinkTable {
  /** `shr_…`; its signed token opens the page. */
  id: string;
  environment_id: number;
  /** The owner of the target. */
  sub_tenant_id: string | null;
  target: 'message' | 'sub_tenant' | 'sender';
  /** The public id. */
  target_id: string;
  /** Of a message: subject and text are shown. */
  include_content: Flag;
  created_at: Instant;
  expires_at: Instant;
  revoked_at: Instant | null;
}
