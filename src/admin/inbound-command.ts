// `mailkeel admin inbound [retry | delete | save]`: lists recent inbound mail with its outcome and content; retries, deletes or
// saves a mail.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';
import { writeFile } from 'node:fs/promises';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import { withAppliance } from '../app/installation/open-appliance.js';
import { withReadStore } from '../app/installation/open-existing.js';
import type { InboundMail } from '../inbound/inbound.tables.js';

const INBOUND_STATES = ['waiting', 'done', 'failed'] as const;

interface InboundQuestion {
  limit: number;
  state?: (typeof INBOUND_STATES)[number];
}

interface ShownInbound {
  id: number;
  received_at: string;
  kind: InboundMail['kind'];
  /** Recipient without the secret of a signed address. */
  rcpt_to: string;
  mail_from: string;
  client_address: string | null;
  state: InboundMail['state'];
  /** Its classification; null while it waits, `begun` or `begun_alone` while it is processed. */
  outcome: string | null;
  attempts: number;
  size_bytes: number;
  /** The message that it reports on or became. */
  message_id: string | null;
  detail: Record<string, unknown>;
}

/** Lists inbound mail, newest first. Works beside a running server. */
function adminInbound(config: Config, { limit, state }: InboundQuestion): Promise<ShownInbound[]> {
  return withReadStore(config, async ({ inbound }) => (await inbound.latest(limit, state)).map(shown));
}

/** Queues a failed mail again. The server finds it within seconds, or at its next start. */
function adminRetryInbound(config: Config, clock: Clock, id: number): Promise<void> {
  return withAppliance(config, async ({ store }) => {
    if (await store.inbound.retry(id, clock())) return;
    const mail = await store.inbound.byId(id);
    if (mail === null) throw notThere(id);
    const outcome = mail.outcome ?? mail.state;
    throw new Refusal('conflict', `Inbound message ${id} has already been processed: ${outcome}.`);
  });
}

/** Deletes a parked mail. Refuses with `conflict` for other mail, which is processed or expires by its retention. */
function adminDeleteInbound(config: Config, id: number): Promise<void> {
  return withAppliance(config, async ({ store }) => {
    if (await store.inbound.deleteParked(id)) return;
    const mail = await store.inbound.byId(id);
    if (mail === null) throw notThere(id);
    throw new Refusal(
      'conflict',
      `Only failed messages can be deleted. Inbound message ${id}: ${mail.outcome ?? mail.state}.`,
    );
  });
}

/**
 * Writes a mail's content to a new file and returns its size in octets. The content is untrusted and must not be printed to a
 * terminal.
 */
function adminSaveInbound(config: Config, id: number, file: string): Promise<number> {
  return withReadStore(config, async ({ inbound }) => {
    const mail = await inbound.byId(id);
    const raw = mail && (await inbound.raws([mail.raw_id])).get(mail.raw_id);
    if (!raw) throw notThere(id);
    await writeFile(file, raw, { flag: 'wx', mode: 0o600 });
    return raw.length;
  });
}

function notThere(id: number): Refusal {
  return new Refusal('not_found', `Inbound message ${id} not found.`);
}

function shown(mail: InboundMail & { size_bytes: number }): ShownInbound {
  const detail = recordOf(mail.detail);
  const { message } = detail;
  const { address } = recordOf(mail.client);
  return {
    id: mail.id,
    received_at: new Date(mail.received_at).toISOString(),
    kind: mail.kind,
    rcpt_to: withoutSecret(mail.rcpt_to),
    mail_from: mail.mail_from,
    client_address: typeof address === 'string' ? address : null,
    state: mail.state,
    outcome: mail.outcome,
    attempts: mail.attempts,
    size_bytes: mail.size_bytes,
    message_id: typeof message === 'string' ? message : null,
    detail,
  };
}

/** Parses a JSON column, which the program wrote. */
function recordOf(json: string | null): Record<string, unknown> {
  return json === null ? {} : (JSON.parse(json) as Record<string, unknown>);
}

/** Removes an address's signature, which would let a reader of the list bounce or reply to the message. */
function withoutSecret(address: string): string {
  return address.replace(/^(b-|reply\+|unsubscribe\+)[^@]+/i, '$1…');
}

const MAX_LIMIT = 10_000;

export function addAdminInbound(admin: Command, terminal: Terminal): void {
  const inbound = admin
    .command('inbound')
    .description('List recent inbound messages and their outcomes')
    .option('--limit <count>', 'Number of messages to list, newest first', wholeNumber(MAX_LIMIT), 20)
    .addOption(new Option('--state <state>', 'List only messages in this state').choices(INBOUND_STATES))
    .option('--json', 'Output JSON')
    .action(async ({ json, ...question }: InboundQuestion & OutputOptions) => {
      const mails = await adminInbound(terminal.loadConfig().config, question);
      print(terminal, json === undefined ? {} : { json }, { object: 'list', data: mails }, inWords(mails));
    });
  inbound
    .command('retry')
    .description('Retry a failed message')
    .argument('<id>', 'Message number from the list', wholeNumber())
    .action(async (id: number, _options: unknown, command: Command) => {
      await adminRetryInbound(terminal.loadConfig().config, terminal.clock, id);
      const value = { object: 'inbound_mail', id, state: 'waiting' };
      print(terminal, command.optsWithGlobals(), value, `Inbound message ${id} will be processed again.`);
    });
  inbound
    .command('delete')
    .description('Delete a failed message')
    .argument('<id>', 'Message number from the list', wholeNumber())
    .action(async (id: number, _options: unknown, command: Command) => {
      await adminDeleteInbound(terminal.loadConfig().config, id);
      const value = { object: 'inbound_mail', id, deleted: true };
      print(terminal, command.optsWithGlobals(), value, `Deleted inbound message ${id}.`);
    });
  inbound
    .command('save')
    .description('Save a raw message to a new file')
    .argument('<id>', 'Message number from the list', wholeNumber())
    .argument('<file>')
    .action(async (id: number, file: string, _options: unknown, command: Command) => {
      const size = await adminSaveInbound(terminal.loadConfig().config, id, file);
      const value = { object: 'inbound_mail', id, file, size_bytes: size };
      print(terminal, command.optsWithGlobals(), value, `Saved ${size} bytes to ${file}.`);
    });
}

function wholeNumber(max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,16}$/.test(text) && number >= 1 && number <= max) return number;
    throw new InvalidArgumentError(`Must be a whole number from 1 to ${max}.`);
  };
}

function inWords(mails: readonly ShownInbound[]): string {
  if (mails.length === 0) return 'No inbound messages.';
  const rows = mails.map(({ id, received_at, kind, rcpt_to, state, outcome, size_bytes, message_id }) => [
    String(id),
    received_at,
    kind,
    rcpt_to,
    outcome ?? state,
    String(size_bytes),
    message_id ?? '',
  ]);
  return table([['id', 'received', 'kind', 'to', 'outcome', 'bytes', 'message'], ...rows]);
}
