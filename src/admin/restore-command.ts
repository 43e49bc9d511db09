// `mailkeel admin restore`: restores a backup with outbound mail on hold, shows what may have been sent since, and releases the
// mail.
import type { Command } from 'commander';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Refusal } from '../contract/refusal.js';
import { createEventIds } from '../contract/event-ids.js';
import { finishRestore, restoreBackup } from '../operations/backup/restore.js';
import { compareRestored, type RestoredCampaign } from '../campaigns/restored-campaigns.js';
import {
  type CampaignEvidence,
  type Evidence,
  type EvidenceLine,
  readEvidenceLine,
} from '../outbound/outcome/evidence.rules.js';
import { type HeldRestore, holdRestored } from '../operations/backup/restored-database.store.js';
import { createRecipientHash } from '../outbound/outcome/recipient-hash.rules.js';
import { releaseHeld, reviewHeld, type ReviewedMail } from '../outbound/outcome/restored-mail.js';
import type { Config } from '../settings/settings.js';
import { type Appliance, withAppliance } from '../app/installation/open-appliance.js';
import { withExistingDatabase } from '../app/installation/open-existing.js';
import { withStoppedServer } from '../app/installation/stopped-server.js';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';

/** Default number of messages that a review lists; it always counts all of them. */
const SHOWN = 100;

export interface RestoreOptions extends OutputOptions {
  until?: string;
  force?: boolean;
  keys?: string;
  passphraseFile?: string;
  finish?: boolean;
  hold?: boolean;
  copiedAt?: string;
  review?: boolean;
  release?: boolean;
  log?: string[];
  events?: string[];
  seenEvent?: string;
  except?: string[];
  all?: boolean;
  none?: boolean;
  limit?: string;
}

export function addAdminRestore(admin: Command, terminal: Terminal): void {
  admin
    .command('restore')
    .description('Restore a backup and hold its outgoing mail, then review and release the mail')
    .argument('[copy]', 'latest, a backup path, or s3://bucket/prefix/name')
    .option(
      '--until <time>',
      "With latest: restore the replica's state at this time, for example 2026-03-01T12:00:00Z",
    )
    .option('--force', 'Move the existing database to a folder next to it')
    .option('--keys <folder>', "Folder with the backup's keys, if they are not included in the backup")
    .option(
      '--passphrase-file <file>',
      'File with the passphrase of the included keys (default: MAILKEEL_BACKUP_PASSPHRASE)',
    )
    .option('--finish', 'Finish a restore that was interrupted by a crash')
    .option('--hold', 'Hold outgoing mail of a database restored with other tools, such as pg_restore')
    .option('--copied-at <time>', 'With --hold: time of the backup (default: time of the newest event)')
    .option('--review', 'List held messages and whether they were sent after the backup')
    .option(
      '--release',
      'Send messages that were not sent, and mark those that may have been sent as in doubt',
    )
    .option('--log <file...>', 'Complete delivery logs since the backup (default: MAILKEEL_DELIVERY_LOG)')
    .option('--events <file...>', 'Events received by a consumer, as JSON Lines; may be incomplete')
    .option('--seen-event <id>', 'ID of the last event received by a consumer')
    .option('--except <ids...>', 'IDs of messages that must not be sent again, regardless of the logs')
    .option('--all', 'With --release: send messages whose status is unknown')
    .option('--none', 'With --release: mark messages whose status is unknown as in doubt')
    .option('--limit <count>', `Maximum messages listed by --review (default: ${SHOWN})`)
    .option('--json', 'Output JSON')
    .action(async (copy: string | undefined, options: RestoreOptions) => {
      const { config } = terminal.loadConfig();
      const asked = [
        copy !== undefined,
        options.finish,
        options.hold,
        options.review,
        options.release,
      ].filter(Boolean);
      if (asked.length !== 1 || (options.all === true && options.none === true)) {
        const message =
          'Pass a backup, or one of --hold, --review, --release and --finish. Use either --all or --none, not both.';
        throw new Refusal('validation_error', message);
      }
      if (copy !== undefined) await restore(terminal, config, { copy, options });
      else if (options.finish === true) await finish(terminal, config, options);
      else if (options.hold === true) await holdMail(terminal, config, options);
      else if (options.review === true) await review(terminal, config, options);
      else await release(terminal, config, options);
    });
}

/** Restores a copy into the data folder. `takesOver` ends the server that writes the replica. */
export async function restore(
  terminal: Terminal,
  config: Config,
  { copy, options, takesOver = false }: { copy: string; options: RestoreOptions; takesOver?: boolean },
): Promise<void> {
  const { passphraseFile, keys } = options;
  const passphrase =
    passphraseFile === undefined ? config.backupPassphrase : (await readFile(passphraseFile, 'utf8')).trim();
  const restored = await restoreBackup({
    ...{ settings: config, copy, passphrase, keysFolder: keys ?? null },
    ...{ isForced: options.force === true, clock: terminal.clock },
    ...{ until: parseTime(options.until, '--until'), takesOver },
  });
  const { putAside, migrated, missingArchive, gap } = restored;
  const value = {
    ...{ copy: restored.copy, ...heldValue(restored), migrations: migrated, put_aside: putAside },
    ...{ missing_archive_files: missingArchive, gap },
  };
  const lines = [
    `Restored ${restored.copy} (${value.copied_at}).`,
    ...(gap === null ? [] : [`The replica has a gap: ${gap}.`]),
    ...(putAside === null ? [] : [`The previous database was moved to ${putAside}.`]),
    ...(missingArchive.length === 0
      ? []
      : [
          `${missingArchive.length} event archive files are missing, for example ${missingArchive[0]}. Copy them to the archive folder.`,
        ]),
    ...heldLines(restored),
  ];
  print(terminal, options, value, lines.join('\n'));
}

function heldValue({ copiedAt, campaigns, sequences, queued }: Omit<HeldRestore, 'epoch'>) {
  return {
    ...{ copied_at: new Date(copiedAt).toISOString(), queued, outbound: 'held' },
    ...{ paused_campaigns: campaigns, paused_sequences: sequences },
  };
}

function heldLines({ campaigns, sequences, queued }: Omit<HeldRestore, 'epoch'>): string[] {
  return [
    `Outgoing mail is on hold: ${queued} live messages are queued. Start the server; the API and inbound mail work normally.`,
    ...(campaigns.length === 0 ? [] : [`Campaigns paused or returned to draft: ${campaigns.join(', ')}`]),
    ...(sequences.length === 0 ? [] : [`Paused: ${sequences.join(', ')}`]),
    'Next: run "mailkeel admin restore --review --log <delivery log>", then "mailkeel admin restore --release".',
  ];
}

/** Returns epoch ms; null without a time. */
function parseTime(text: string | undefined, option: string): number | null {
  if (text === undefined) return null;
  const time = Date.parse(text);
  if (Number.isNaN(time)) {
    throw new Refusal('validation_error', `${option} must be a time, for example 2026-11-23T06:00:00Z.`);
  }
  return time;
}

/** Puts mail on hold after a restore by other tools, as this command does for its own restores. */
async function holdMail(terminal: Terminal, config: Config, options: RestoreOptions): Promise<void> {
  const copiedAt = parseTime(options.copiedAt, '--copied-at');
  await withExistingDatabase(config, () => Promise.resolve());
  const held = await withStoppedServer(config, () =>
    withAppliance(
      config,
      ({ engine }) =>
        holdRestored(engine, { copyName: 'restored with other tools', copiedAt, now: terminal.clock() }),
      {},
      { hasDatabaseLock: true },
    ),
  );
  print(terminal, options, heldValue(held), heldLines(held).join('\n'));
}

async function finish(terminal: Terminal, config: Config, options: OutputOptions): Promise<void> {
  const putAside = await finishRestore(config.dataDir);
  const text = `Restore finished.${putAside === null ? '' : ` The previous database was moved to ${putAside}.`}`;
  print(terminal, options, { finished: true, put_aside: putAside }, text);
}

function withHeldMail<T>(
  config: Config,
  terminal: Terminal,
  work: (deps: HeldDeps) => Promise<T>,
): Promise<T> {
  return withExistingDatabase(config, () => Promise.resolve()).then(() =>
    withAppliance(config, ({ store, keys }) => work({ store, keys, config, clock: terminal.clock })),
  );
}

type LogOfCampaigns = CampaignEvidence & Pick<Evidence, 'loggedUntil'>;
type HeldDeps = Pick<Appliance, 'store' | 'keys'> & { config: Config; clock: Terminal['clock'] };

async function review(terminal: Terminal, config: Config, options: RestoreOptions): Promise<void> {
  const limit = Number(options.limit ?? SHOWN);
  if (!Number.isInteger(limit) || limit < 0)
    throw new Refusal('validation_error', '--limit must be a whole number, 0 or greater.');
  await withHeldMail(config, terminal, async (deps) => {
    const { evidence, ofCampaigns } = await readEvidence(deps, options);
    const shown: ReviewedMail[] = [];
    const { hold, counts } = await reviewHeld(deps, evidence, (mail) => {
      if (shown.length < limit) shown.push(mail);
    });
    const iso = (at: number): string => new Date(at).toISOString();
    const mails = shown.map(({ id, toEmail, dueAt, verdict, reason }) => {
      return { id, to: toEmail, due_at: iso(dueAt), verdict, reason };
    });
    const campaigns = await compare(deps, ofCampaigns, { isFinal: false });
    const value = {
      ...{ copy: hold.copy_name, copied_at: iso(hold.copied_at), restored_at: iso(hold.restored_at) },
      ...{ counts, campaigns, messages: mails },
    };
    const lines = [
      `${hold.copy_name} (${iso(hold.copied_at)}), restored at ${iso(hold.restored_at)}`,
      `Held messages: ${counts.left} sent after the backup (left), ${counts.may_have_left} possibly sent (may_have_left), ${counts.stayed} not sent (stayed), ${counts.unknown} unknown`,
      ...sentencesOf(campaigns, ofCampaigns),
      table(mails.map(({ id, to, due_at, verdict, reason }) => [id, verdict, due_at, to, reason])),
    ];
    print(terminal, options, value, lines.join('\n'));
  });
}

async function release(terminal: Terminal, config: Config, options: RestoreOptions): Promise<void> {
  await withHeldMail(config, terminal, async (deps) => {
    const { evidence, ofCampaigns } = await readEvidence(deps, options);
    const {
      sent,
      inDoubt,
      before: campaigns,
    } = await releaseHeld(deps, {
      evidence,
      // Runs before the hold ends, because the hold prevents campaigns from being resumed.
      beforeEnd: () => compare(deps, ofCampaigns, { isFinal: true }),
      except: new Set(options.except?.flatMap((ids) => ids.split(','))),
      unknown: options.all === true ? 'send' : options.none === true ? 'leave' : 'refuse',
    });
    const text = `Released ${sent} messages. ${inDoubt} are marked as in doubt. Paused campaigns and sequences stay paused until you resume them.`;
    const lines = [text, ...sentencesOf(campaigns, ofCampaigns)];
    print(terminal, options, { released: true, sent, in_doubt: inDoubt, campaigns }, lines.join('\n'));
  });
}

function compare(
  { store, keys, clock }: HeldDeps,
  evidence: CampaignEvidence,
  how: { isFinal: boolean },
): Promise<RestoredCampaign[]> {
  return compareRestored({ store, hashOf: createRecipientHash(keys.masterKey), clock }, evidence, how);
}

function sentencesOf(
  campaigns: readonly RestoredCampaign[],
  { isWhole, loggedUntil }: LogOfCampaigns,
): string[] {
  if (campaigns.length === 0) return [];
  const until = loggedUntil === null ? 'never' : new Date(loggedUntil).toISOString();
  const log = isWhole
    ? `The delivery log is complete from the backup to ${until}. Messages sent after that may be sent again.`
    : 'The delivery log since the backup is incomplete. Pass all of its files with --log.';
  return [...campaigns.map(sentenceOf), log];
}

function sentenceOf(campaign: RestoredCampaign): string {
  const { id, name, status, waiting, skipped, may_get_it_twice: twice, not_found: notFound } = campaign;
  const others =
    notFound === 0
      ? ''
      : ` ${notFound} recipients in the log are not in the audience. If you resend the campaign, they receive it twice.`;
  if (status !== 'paused') return `Campaign ${id} (${name}) is ${status} again.${others}`;
  const doubt = twice === 0 ? '' : ` ${twice} of them may receive it twice.`;
  return `Campaign ${id} (${name}): ${skipped} recipients have received it and are skipped, ${waiting} are still waiting.${doubt}${others}`;
}

/** Returns the configured delivery log and its older files; none if it is off or goes to standard output. */
function deliveryLogFiles({ deliveryLog, deliveryLogFiles: kept }: Config): string[] {
  if (deliveryLog === null || deliveryLog === '-') return [];
  const older = Array.from({ length: kept }, (_, i) => `${deliveryLog}.${i + 1}`);
  return [deliveryLog, ...older].filter((file) => existsSync(file));
}

interface ReadTimes {
  /** Time of the first line about messages in epoch ms. */
  first: number | null;
  /** Time of the last line before the restore. */
  last: number | null;
  /** True if lines between the backup and the restore are missing. */
  hasGap: boolean;
}

/** Lines from before the backup only show how far the log reaches back. */
async function readEvidence(
  { store, keys, config }: HeldDeps,
  { log = deliveryLogFiles(config), events = [], seenEvent }: RestoreOptions,
): Promise<{ evidence: Evidence; ofCampaigns: LogOfCampaigns }> {
  const hold = await store.backups.hold();
  const copiedAt = hold?.copied_at ?? 0;
  const restoredAt = hold?.restored_at ?? Infinity;
  const outcomes = new Map<string, Pick<EvidenceLine, 'outcome' | 'word' | 'nextAt'>>();
  const reached = new Map<string, Set<string>>();
  let namesRecipients = true;
  const read = async (file: string): Promise<ReadTimes> => {
    let hasGap = false;
    let first: number | null = null;
    let last: number | null = null;
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      const found = readEvidenceLine(line);
      if (found === null) continue;
      if (found.kind === 'gap') {
        hasGap ||= found.at === null || (found.at >= copiedAt && found.at < restoredAt);
        continue;
      }
      const { messageId, at, outcome, word, nextAt } = found;
      if (at !== null) {
        first = Math.min(first ?? at, at);
        // The restored program may append to the same log.
        if (at < restoredAt) last = Math.max(last ?? at, at);
      }
      if (at === null || at >= copiedAt) namesRecipients = addRecipient(reached, found) && namesRecipients;
      if ((at !== null && at < copiedAt) || outcomes.get(messageId)?.outcome === 'left') continue;
      outcomes.set(messageId, { outcome, word, nextAt });
    }
    return { first, last, hasGap };
  };
  const logged: ReadTimes[] = [];
  for (const file of log) logged.push(await read(file));
  const seen: number[] = [];
  for (const file of events) seen.push((await read(file)).last ?? -Infinity);
  if (seenEvent !== undefined) seen.push(await timeOfEvent({ store, keys }, seenEvent));
  const loggedSince = Math.min(...logged.map(({ first }) => first ?? Infinity));
  const loggedUntil = Math.max(...logged.map(({ last }) => last ?? -Infinity));
  const seenUntil = Math.max(...seen);
  const hasGap = logged.some((one) => one.hasGap);
  const evidence = {
    outcomes,
    hasGap,
    loggedSince: Number.isFinite(loggedSince) ? loggedSince : null,
    loggedUntil: Number.isFinite(loggedUntil) ? loggedUntil : null,
    seenUntil: Number.isFinite(seenUntil) ? seenUntil : null,
  };
  const isWhole = !hasGap && loggedSince <= copiedAt && namesRecipients;
  return { evidence, ofCampaigns: { reached, isWhole, loggedUntil: evidence.loggedUntil } };
}

/** Returns false for an attempt by an older program, which did not log the recipient of a campaign. */
function addRecipient(reached: Map<string, Set<string>>, line: EvidenceLine): boolean {
  const { attempt, isAttempt, outcome } = line;
  if (attempt === null) return !isAttempt;
  if (attempt === 'no_campaign' || outcome !== 'left') return true;
  const { campaignId, recipientHash } = attempt;
  const known = reached.get(campaignId);
  if (known) known.add(recipientHash);
  else reached.set(campaignId, new Set([recipientHash]));
  return true;
}

async function timeOfEvent({ store, keys }: Pick<HeldDeps, 'store' | 'keys'>, id: string): Promise<number> {
  const ids = createEventIds(keys.masterKey, await store.backups.chainEpochs());
  for (const number of await store.backups.workspaceNumbers()) {
    const place = ids.eventPlace(number, id);
    if (place !== null) return place.occurredAt;
  }
  throw new Refusal('invalid_cursor', `${id} is not an event ID of this installation.`);
}
