// The tables of requests to the API themselves.
import type { Instant } from './columns.js';

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
