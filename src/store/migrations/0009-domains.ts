// Domains belong to the newest proof: claims without a proof keep nobody out. Limits of mail to unknown recipients, and the
// places that people have signed in from before.
import { sql, type Kysely } from 'kysely';
import type { Spelling } from '../engine/engine.js';

export async function up(db: Kysely<unknown>, t: Spelling): Promise<void> {
  for (const statement of [...CLAIMS(t), ...ADDRESSES(t), ...STRANGERS(t), ...PLACES(t)]) {
    await sql.raw(statement).execute(db);
  }
}

const CLAIMS = (t: Spelling): string[] => [
  // When another workspace proved the domain; it then takes new keys to have it back.
  `ALTER TABLE sub_tenants ADD COLUMN taken_over_at ${t.int}`,
  `ALTER TABLE senders ADD COLUMN taken_over_at ${t.int}`,
  // Within a workspace names stay unique; of several workspaces the newest proof counts.
  `DROP INDEX sub_tenants_live_domain`,
  `CREATE UNIQUE INDEX sub_tenants_live_domain ON sub_tenants (sending_domain, workspace_id) WHERE deleted_at IS NULL`,
  // A domain in our own zone needs no proof, so the first one has it.
  `CREATE UNIQUE INDEX sub_tenants_zone_domain ON sub_tenants (sending_domain)
    WHERE deleted_at IS NULL AND dkim_mode = 'zone'`,
  ...(['return_path', 'inbound', 'tracking'] as const).flatMap((name) => [
    `DROP INDEX sub_tenants_${name}`,
    `CREATE UNIQUE INDEX sub_tenants_${name}
      ON sub_tenants (COALESCE(${name}_domain, '${LABELS[name]}.' || sending_domain), workspace_id)
      WHERE deleted_at IS NULL`,
  ]),
  // Aliases have fixed names: several claims of one domain have keys under the same ones.
  `DROP INDEX dkim_keys_by_selector`,
  `CREATE UNIQUE INDEX dkim_keys_by_selector ON dkim_keys (domain, selector, owner_id) WHERE state <> 'retired'`,
];

const LABELS = { return_path: 'bounce', inbound: 'reply', tracking: 'click' } as const;

const ADDRESSES = (t: Spelling): string[] => [
  // When the owner of an address said yes; null where only its domain vouches for it.
  `ALTER TABLE senders ADD COLUMN confirmed_at ${t.int}`,
  `UPDATE senders SET confirmed_at = verified_at
    WHERE kind = 'address' AND verified_at IS NOT NULL AND confirmation_expires_at IS NOT NULL`,
];

const STRANGERS = (t: Spelling): string[] => [
  `CREATE TABLE stranger_mail (
    subject ${t.blob} NOT NULL, window_start ${t.int} NOT NULL, mails ${t.int} NOT NULL, expires_at ${t.int} NOT NULL,
    PRIMARY KEY (subject, window_start))`,
  `CREATE INDEX stranger_mail_expired ON stranger_mail (expires_at)`,
];

const PLACES = (t: Spelling): string[] => [
  // Where somebody has signed in before; `place` is a digest.
  `CREATE TABLE known_places (
    user_id TEXT NOT NULL, place ${t.blob} NOT NULL, failures ${t.int} NOT NULL, locked_until ${t.int},
    expires_at ${t.int} NOT NULL, created_at ${t.int} NOT NULL, PRIMARY KEY (user_id, place))`,
  `CREATE INDEX known_places_expired ON known_places (expires_at)`,
];
