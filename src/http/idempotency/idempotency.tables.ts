// Table of requests with an Idempotency-Key.
import { blob, instant, int, nullable, type RowOf, table, text } from '../../database/columns.js';

/** A request that had an Idempotency-Key, from its first change on. */
export const idempotentRequests = table('idempotent_requests', {
  /** Where the key counts: an environment or an organization, a sub-tenant, and the operation. */
  place: text(),
  key: text(),
  /** Of the request, by chance. */
  id: text(),
  /** SHA-256 of the request. */
  fingerprint: blob(),
  /** Id of the object that its first change made; null: none. */
  made_id: nullable(text()),
  /** Of the answer; null: there is none yet, or there never was one. */
  status: nullable(int()),
  /** The body of the answer, sealed: it may hold a secret that is shown once. */
  answer: nullable(text()),
  created_at: instant(),
});
export type IdempotentRequest = RowOf<typeof idempotentRequests>;
