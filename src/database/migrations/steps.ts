// Schema migrations, oldest first. Each runs once, in one transaction with its row in the ledger.
import { sql, type Kysely } from 'kysely';
import type { Spelling } from '../engine/engine.js';
import { up as baseline } from './0001-baseline.js';
import { accountImportsSchema } from './0003-account-imports.js';
import { approvalsSchema } from './0005-approvals.js';
import { connectedAppsSchema } from './0006-connected-apps.js';
import { routeSharesSchema } from './0007-route-shares.js';
import { inboxesSchema } from './0009-inboxes.js';
import { draftsSchema } from './0010-drafts.js';
import { inboxRoutesSchema } from './0011-routes-of-inboxes.js';
import { messageSearchSchema } from './0012-message-search.js';
import { INDEXES } from './0013-indexes.js';

export interface Step {
  /** `NNNN-name`; steps run in the order of their names. */
  name: string;
  /** A sentence for the operator. */
  does: string;
  up(db: Kysely<unknown>, spelling: Spelling): Promise<void>;
  /**
   * Set on a step that removes something: the oldest step whose program works without it. Omitted on a step that only adds, so
   * the previous release can still open the database.
   */
  opensFrom?: string;
}

export const STEPS: Step[] = [
  { name: '0001-baseline', does: 'Creates the tables.', up: baseline },
  {
    name: '0002-ses-credentials',
    does: 'Adds the credentials with which Amazon SES clients sign as an API key.',
    async up(db, t) {
      await sql.raw('ALTER TABLE api_keys ADD COLUMN ses_secret_sealed TEXT').execute(db);
      await sql.raw(`ALTER TABLE api_keys ADD COLUMN ses_credentials_at ${t.int}`).execute(db);
    },
  },
  {
    name: '0003-account-imports',
    does: 'Adds imports of accounts at other vendors.',
    async up(db, t) {
      for (const statement of accountImportsSchema(t)) await sql.raw(statement).execute(db);
    },
  },
  {
    name: '0004-send-policies',
    does: 'Adds the send policies of API keys.',
    async up(db, t) {
      await sql.raw('ALTER TABLE api_keys ADD COLUMN policy TEXT').execute(db);
      await sql.raw(`ALTER TABLE api_keys ADD COLUMN counted_hour ${t.int}`).execute(db);
      await sql.raw(`ALTER TABLE api_keys ADD COLUMN hour_messages ${t.int} NOT NULL DEFAULT 0`).execute(db);
    },
  },
  {
    name: '0005-approvals',
    does: 'Adds approvals of messages by people.',
    async up(db, t) {
      for (const statement of approvalsSchema(t)) await sql.raw(statement).execute(db);
    },
  },
  {
    name: '0006-connected-apps',
    does: 'Adds applications that people connect by OAuth.',
    async up(db, t) {
      await sql.raw('ALTER TABLE api_keys ADD COLUMN oauth_client_id TEXT').execute(db);
      for (const statement of connectedAppsSchema(t)) await sql.raw(statement).execute(db);
    },
  },
  {
    name: '0007-route-shares',
    does: 'Adds shares of routes.',
    async up(db, t) {
      for (const statement of routeSharesSchema(t)) await sql.raw(statement).execute(db);
    },
  },
  {
    name: '0008-account-import-files',
    does: 'Adds the sizes of the files of account imports.',
    async up(db, t) {
      await sql
        .raw(`ALTER TABLE account_imports ADD COLUMN stored_bytes ${t.int} NOT NULL DEFAULT 0`)
        .execute(db);
    },
  },
  {
    name: '0009-inboxes',
    does: 'Adds inboxes, and facts about received mail that may show a fraud.',
    async up(db, t) {
      for (const statement of inboxesSchema(t)) await sql.raw(statement).execute(db);
    },
  },
  {
    name: '0010-drafts',
    does: 'Adds drafts of replies.',
    async up(db, t) {
      for (const statement of draftsSchema(t)) await sql.raw(statement).execute(db);
    },
  },
  {
    name: '0011-routes-of-inboxes',
    does: 'Adds the inboxes of webhook endpoints, and the forwarding of received mail.',
    async up(db, t) {
      for (const statement of inboxRoutesSchema(t)) await sql.raw(statement).execute(db);
    },
  },
  {
    name: '0012-message-search',
    does: 'Adds the full-text search of threads, which existing messages enter while the server runs, and an index of approvals.',
    async up(db, t) {
      for (const statement of messageSearchSchema(t)) await sql.raw(statement).execute(db);
    },
  },
  {
    name: '0013-indexes',
    does: 'Adds indexes of forwarded messages, which are canceled with their forwarding, and of drafts and approvals.',
    async up(db) {
      for (const statement of INDEXES) await sql.raw(statement).execute(db);
    },
  },
];

/** Name of the newest step that this program knows. */
export function latestSchema(): string {
  return STEPS.at(-1)?.name ?? '';
}
