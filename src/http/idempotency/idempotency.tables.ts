import { blob, instant, int, nullable, type RowOf, table, text } from '../../database/columns.js';

/** A request with an Idempotency-Key, stored with its first change. */
export const idempotentRequests = table('idempotent_requests', {
  /** Namespace of the key: an environment or an organization, a sub-tenant, and the operation. */
  place: text(),
  key: text(),
  /** Random id of the request. */
  id: text(),
  /** SHA-256 of the request. */
  fingerprint: blob(),
  /** Id of the object that the first change created; null if there is none. */
  made_id: nullable(text()),
  /** Status of the answer; null if none is stored. */
  status: nullable(int()),
  /** Encrypted body of the answer, which may contain a secret that is shown once. */
  answer: nullable(text()),
  created_at: instant(),
});
export type IdempotentRequest = RowOf<typeof idempotentRequests>;
