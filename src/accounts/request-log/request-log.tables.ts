// Table of the requests that were answered.
import { instant, int, json, nullable, type RowOf, table, text } from '../../database/columns.js';

/** A request with a caller, without secrets, content and persons. */
export const requestLog = table('request_log', {
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  actor_kind: text<'api_key' | 'user'>(),
  actor_id: text(),
  /** The operationId. */
  operation: text(),
  method: text(),
  /** Path with ids and names of ours only; other parts are named as the route names them. */
  path: text(),
  status: int(),
  /** Of the error, with the field or header that it names; null of a success. */
  code: nullable(text()),
  param: nullable(text()),
  duration_ms: int(),
  request_id: text(),
  /** Redacted; null: there was none. */
  query: nullable(json()),
  body: nullable(json()),
  at: instant(),
});
export type LoggedRequest = RowOf<typeof requestLog>;
