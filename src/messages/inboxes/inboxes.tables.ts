// Table of inboxes.
import { instant, int, json, nullable, type RowOf, table, text } from '../../database/columns.js';

/** An address on an inbound domain with a name and settings. */
export const inboxes = table('inboxes', {
  /** `ibx_…` */
  id: text(),
  environment_id: int(),
  /** The owner of the domain. */
  sub_tenant_id: nullable(text()),
  address: text(),
  address_key: text(),
  name: nullable(text()),
  /** The caller's id for the inbox, which makes its creation repeatable. */
  client_id: text(),
  /** JSON of the parameters it was created with. */
  requested: json(),
  /** The API key whose send policy applies to replies. */
  policy_key_id: nullable(text()),
  created_at: instant(),
  updated_at: instant(),
});
export type Inbox = RowOf<typeof inboxes>;
