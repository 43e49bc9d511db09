// Forward migrations, run at start and by `mailkeel admin migrate`: each in a transaction with its line in the ledger, so that a
// crash leaves a step done or not begun. docs/adr/0092-migrations-expand-then-contract.md has the rules.
import type { Kysely } from 'kysely';
import { systemClock } from '../../lib/runtime/clock.js';
import { productVersion } from '../../lib/runtime/version.js';
import type { Engine, Spelling } from '../engine/engine.js';
import { up as first } from './0001-first.js';
import { up as outbound } from './0002-outbound.js';
import { up as wayBack } from './0003-way-back.js';
import { up as audience } from './0004-audience.js';
import { up as tenancy } from './0005-tenancy.js';
import { up as inboundMailboxes } from './0006-inbound-mailboxes.js';
import { up as environments } from './0007-environments.js';
import { up as domains } from './0009-domains.js';
import { up as messages } from './0010-messages.js';
import { up as campaigns } from './0011-campaigns.js';
import { up as requests } from './0012-requests.js';
import { up as formKeys } from './0013-form-keys.js';
import { up as reads } from './0014-reads.js';
import { up as webhookFormats } from './0015-webhook-formats.js';
import { up as countedMail } from './0016-counted-mail.js';
import { up as requestLog } from './0017-request-log.js';
import { up as topics } from './0018-topics.js';
import { up as operations } from './0019-operations.js';
import { up as shareLinks } from './0020-share-links.js';
import { up as deviceSignIns } from './0022-device-sign-ins.js';
import { up as recordEvents } from './0023-record-events.js';
import { up as webhookVendors } from './0024-webhook-vendors.js';
import { up as branding } from './0025-branding.js';
import { up as templateDesigns } from './0026-template-designs.js';
import { up as words } from './0027-words.js';
import { up as traces } from './0028-traces.js';
import { up as egressControl } from './0030-egress-control.js';
import { up as backups } from './0029-backups.js';
import { up as receivedReports } from './0031-received-reports.js';
import { up as growth } from './0032-growth.js';
import { up as segments } from './0033-segments.js';
import { up as nodes } from './0034-nodes.js';
import { up as storedFiles } from './0035-stored-files.js';
import { up as bouncedMail } from './0036-bounced-mail.js';
import { up as deviceNetworks } from './0040-device-networks.js';
import { up as transferFiles } from './0043-transfer-files.js';
import { up as keyMakers } from './0044-key-makers.js';
import { up as askedForMail } from './0060-asked-for-mail.js';
import { up as vendorMail } from './0062-vendor-mail.js';
import { up as replyToPolicy } from './0063-reply-to-policy.js';
import { up as messageDate } from './0064-message-date.js';
import { up as webhookCredentials } from './0065-webhook-credentials.js';
import { up as suppressionReplies } from './0080-suppression-replies.js';
import { up as privacyLink } from './0096-privacy-link.js';
import { up as wideVendorMail } from './0105-wide-vendor-mail.js';
import { up as alerts } from './0115-alerts.js';
import { up as campaignUtm } from './0116-campaign-utm.js';
import { up as savedBlocks } from './0117-saved-blocks.js';
import { insertStep, lockForMigration, prepareLedger, readLedger } from './ledger.store.js';
import { FROZEN_AT, judgeLedger, type LedgerJudgement } from './ledger.rules.js';

type Up = (db: Kysely<unknown>, spelling: Spelling) => Promise<void>;

interface Step {
  up: Up;
  /** A sentence for the operator. */
  does: string;
  /**
   * Of a step that takes something away: the oldest step whose program can work without it. A step that only adds has none, and
   * the program of the release before can open the database.
   */
  opensFrom?: string;
}

/** Complete: former releases refuse a database whose ledger of Kysely has a name that is not among these. */
const FROZEN_STEPS: Readonly<Record<string, Up>> = {
  '0001-first': first,
  '0002-outbound': outbound,
  '0003-way-back': wayBack,
  '0004-audience': audience,
  '0005-tenancy': tenancy,
  '0006-inbound-mailboxes': inboundMailboxes,
  '0007-environments': environments,
  '0009-domains': domains,
  '0010-messages': messages,
  '0011-campaigns': campaigns,
  '0012-requests': requests,
  '0013-form-keys': formKeys,
  '0014-reads': reads,
  '0015-webhook-formats': webhookFormats,
  '0016-counted-mail': countedMail,
  '0017-request-log': requestLog,
  '0018-topics': topics,
  '0019-operations': operations,
  '0020-share-links': shareLinks,
  '0022-device-sign-ins': deviceSignIns,
  '0023-record-events': recordEvents,
  '0024-webhook-vendors': webhookVendors,
  '0025-branding': branding,
  '0026-template-designs': templateDesigns,
  '0027-words': words,
};

const STEPS: Readonly<Record<string, Step>> = {
  '0028-traces': { up: traces, does: 'Adds the trace that a message and a webhook delivery belong to.' },
  '0029-backups': { up: backups, does: 'Adds the tables of backups and restores.' },
  '0030-egress-control': {
    up: egressControl,
    does: 'Adds the tables of suspended sources and of the routes of the operator.',
  },
  '0031-received-reports': {
    up: receivedReports,
    does: 'Adds the tables of DMARC and TLS reports that others send.',
  },
  '0032-growth': { up: growth, does: 'Adds the samples that the forecast of the disk is made from.' },
  '0033-segments': {
    up: segments,
    does: 'Lets events of deleted messages go from the table once they are in a file of the archive.',
  },
  '0034-nodes': { up: nodes, does: 'Adds the nodes that work on one database, and their leases.' },
  '0035-stored-files': {
    up: storedFiles,
    does: 'Adds the table of files, which an installation on PostgreSQL has in place of those in the data folder.',
  },
  '0036-bounced-mail': { up: bouncedMail, does: 'Adds an index of bounced mail by its recipient.' },
  '0040-device-networks': {
    up: deviceNetworks,
    does: 'Adds the network of a program that waits to be signed in.',
  },
  '0043-transfer-files': { up: transferFiles, does: 'Counts the bytes of the files of imports and exports.' },
  '0044-key-makers': { up: keyMakers, does: 'Notes who made each API key.' },
  '0060-asked-for-mail': { up: askedForMail, does: 'Marks mail that its recipient asked for.' },
  '0062-vendor-mail': { up: vendorMail, does: 'Notes which messages came through a vendor API.' },
  '0063-reply-to-policy': {
    up: replyToPolicy,
    does: 'Adds the setting of organizations that allows any Reply-To.',
  },
  '0064-message-date': {
    up: messageDate,
    does: 'Notes when the first attempt of a message was, for its Date field.',
  },
  '0065-webhook-credentials': {
    up: webhookCredentials,
    does: 'Adds user names and passwords of webhook endpoints, and the time of their last success.',
  },
  '0080-suppression-replies': {
    up: suppressionReplies,
    does: 'Notes the reply for which an address was suppressed.',
  },
  '0096-privacy-link': {
    up: privacyLink,
    does: 'Adds the link to the privacy policy on sign-up pages.',
  },
  '0105-wide-vendor-mail': {
    up: wideVendorMail,
    does: 'Widens a column of messages on PostgreSQL, so that a move from SQLite can fill it.',
  },
  '0115-alerts': {
    up: alerts,
    does: 'Adds alerts to people: their settings, incidents, and the notices about them.',
  },
  '0116-campaign-utm': { up: campaignUtm, does: 'Adds UTM parameters of campaigns.' },
  '0117-saved-blocks': { up: savedBlocks, does: 'Adds saved blocks of template designs.' },
};

const ALL: readonly (Step & { name: string })[] = [
  ...Object.entries(FROZEN_STEPS).map(([name, up]) => ({ name, up, does: 'A step of release 0.1.0.' })),
  ...Object.entries(STEPS).map(([name, step]) => ({ name, ...step })),
];
/** A step may take its time. */
const LONG = { isMigration: true };
const NAMES = ALL.map(({ name }) => name);

/** The name of the last step that this program knows. */
export const LATEST_SCHEMA = NAMES.at(-1) ?? FROZEN_AT;

export interface PendingStep {
  name: string;
  does: string;
}

export interface MigrationPlan {
  /** Nothing is in the database yet. */
  isNew: boolean;
  /** The last step that ran; null in a new database. */
  schema: string | null;
  pending: PendingStep[];
}

export interface RanStep extends PendingStep {
  tookMs: number;
}

export interface MigrateOptions {
  /** Called before a step runs, since it may take minutes. */
  onBegin?: (step: PendingStep) => void;
  onEnd?: (step: RanStep) => void;
}

/** Steps that would run; changes nothing. Throws a NewerDatabaseError when this program may not open the database. */
export async function planMigrations(engine: Engine): Promise<MigrationPlan> {
  const rows = await readLedger((statement, values) => engine.rows(statement, values), engine.spelling);
  const { pending, schema } = admitted(judgeLedger(rows, { known: NAMES, program: productVersion() }));
  return {
    isNew: rows.length === 0,
    schema,
    pending: pending.flatMap((name) =>
      ALL.filter((step) => step.name === name).map(({ does }) => ({ name, does })),
    ),
  };
}

/**
 * Brings the schema up to date; returns the names of the steps that ran. Several processes may do so at once: each step runs once.
 * Throws a NewerDatabaseError as `planMigrations` does, and a MigrationError when a step fails, of which nothing is kept.
 */
export async function migrate(engine: Engine, options: MigrateOptions = {}): Promise<string[]> {
  const { pending } = await planMigrations(engine);
  const ran: string[] = [];
  if (pending.length === 0) {
    await tidyLedger(engine);
    return ran;
  }
  for (const step of ALL) {
    if (!pending.some(({ name }) => name === step.name)) continue;
    const { name, does } = step;
    options.onBegin?.({ name, does });
    const tookMs = await runStep(engine, step);
    if (tookMs === null) continue;
    options.onEnd?.({ name, does, tookMs });
    ran.push(name);
  }
  return ran;
}

/** Time (ms) that it took; null when another process was faster. */
async function runStep(engine: Engine, step: Step & { name: string }): Promise<number | null> {
  const program = productVersion();
  const since = performance.now();
  try {
    return await engine.transaction(async (tx) => {
      await lockForMigration(tx, engine.spelling);
      await prepareLedger(tx, engine.spelling, NAMES);
      const rows = await readLedger((statement, values) => tx.run(statement, values), engine.spelling);
      const { pending } = admitted(judgeLedger(rows, { known: NAMES, program }));
      if (!pending.includes(step.name)) return null;
      // A step knows no tables: it makes them.
      await step.up(tx.db as unknown as Kysely<unknown>, engine.spelling);
      const tookMs = Math.round(performance.now() - since);
      await insertStep(tx, {
        ...{ name: step.name, appliedAt: systemClock(), tookMs, program },
        opensFrom: opensFrom(step.name),
      });
      return tookMs;
    }, LONG);
  } catch (error) {
    if (error instanceof NewerDatabaseError) throw error;
    throw new MigrationError(step.name, error);
  }
}

/** Moves lines that a build between two releases wrote into the ledger that former releases read. */
async function tidyLedger(engine: Engine): Promise<void> {
  const rows = await readLedger((statement, values) => engine.rows(statement, values), engine.spelling);
  if (!rows.some(({ name, isFrozen }) => isFrozen && name > FROZEN_AT)) return;
  await engine.transaction(async (tx) => {
    await lockForMigration(tx, engine.spelling);
    await prepareLedger(tx, engine.spelling, NAMES);
  }, LONG);
}

/** The oldest step whose program may open the database once `name` has run. */
function opensFrom(name: string): string {
  const limits = ALL.filter((step) => step.name <= name).flatMap((step) => step.opensFrom ?? []);
  return [FROZEN_AT, ...limits].sort().at(-1) ?? FROZEN_AT;
}

function admitted(judgement: LedgerJudgement): Extract<LedgerJudgement, { kind: 'open' }> {
  if (judgement.kind === 'open') return judgement;
  throw new NewerDatabaseError(judgement.message);
}

/** The database was migrated by a release whose changes this program cannot work with. */
export class NewerDatabaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NewerDatabaseError';
  }
}

/** A step failed, and nothing of it was kept. */
class MigrationError extends Error {
  constructor(step: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `The migration ${step} failed, and nothing of it was kept: ${reason}. The former release can go on with this database.`,
      {
        cause,
      },
    );
    this.name = 'MigrationError';
  }
}
