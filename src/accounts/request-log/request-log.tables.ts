// Table of the API request log.
import { instant, int, json, nullable, type RowOf, table, text } from '../../database/columns.js';

/** A request with a caller, without secrets, content and personal data. */
export const requestLog = table('request_log', {
  id: text(),
  environment_id: int(),
  sub_tenant_id: nullable(text()),
  actor_kind: text<'api_key' | 'user'>(),
  actor_id: text(),
  /** The operationId. */
  operation: text(),
  method: text(),
  /** Path with IDs and Mailkeel's own names. Other parts are replaced with their parameter name. */
  path: text(),
  status: int(),
  /** Error code, with the field or header that it names. Null if the request succeeded. */
  code: nullable(text()),
  param: nullable(text()),
  duration_ms: int(),
  request_id: text(),
  /** Redacted. Null without a query. */
  query: nullable(json()),
  body: nullable(json()),
  at: instant(),
});
export type LoggedRequest = RowOf<typeof requestLog>;
