// posthorn admin inbound, inbound retry, inbound delete, inbound save
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import {
  adminDeleteInbound,
  adminInbound,
  adminSaveInbound,
  adminRetryInbound,
  INBOUND_STATES,
  type InboundQuestion,
  type ShownInbound,
} from '../admin/inbound.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print, table } from './terminal.js';

const MAX_LIMIT = 10_000;

export function addAdminInbound(admin: Command, terminal: Terminal): void {
  const inbound = admin
    .command('inbound')
    .description('list the mail that came in lately, and what it turned out to be')
    .option('--limit <count>', 'how many, the newest first', wholeNumber(MAX_LIMIT), 20)
    .addOption(new Option('--state <state>', 'those in this state only').choices(INBOUND_STATES))
    .option('--json', 'print JSON')
    .action(async ({ json, ...question }: InboundQuestion & OutputOptions) => {
      const mails = await adminInbound(terminal.loadConfig().config, question);
      print(terminal, json === undefined ? {} : { json }, { object: 'list', data: mails }, inWords(mails));
    });
  inbound
    .command('retry')
    .description('work once more on a mail that failed')
    .argument('<id>', 'its number in the list', wholeNumber())
    .action(async (id: number, _options: unknown, command: Command) => {
      await adminRetryInbound(terminal.loadConfig().config, terminal.clock, id);
      const value = { object: 'inbound_mail', id, state: 'waiting' };
      print(terminal, command.optsWithGlobals(), value, `The inbound mail ${id} waits again.`);
    });
  inbound
    .command('delete')
    .description('delete a parked mail, unread as it is')
    .argument('<id>', 'its number in the list', wholeNumber())
    .action(async (id: number, _options: unknown, command: Command) => {
      await adminDeleteInbound(terminal.loadConfig().config, id);
      const value = { object: 'inbound_mail', id, deleted: true };
      print(terminal, command.optsWithGlobals(), value, `The inbound mail ${id} is deleted.`);
    });
  inbound
    .command('save')
    .description('write the octets of a mail, as they came, to a new file')
    .argument('<id>', 'its number in the list', wholeNumber())
    .argument('<file>')
    .action(async (id: number, file: string, _options: unknown, command: Command) => {
      const size = await adminSaveInbound(terminal.loadConfig().config, id, file);
      const value = { object: 'inbound_mail', id, file, size_bytes: size };
      print(terminal, command.optsWithGlobals(), value, `${size} octets are in ${file}.`);
    });
}

function wholeNumber(max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,16}$/.test(text) && number >= 1 && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
  };
}

function inWords(mails: readonly ShownInbound[]): string {
  if (mails.length === 0) return 'No mail has come in.';
  const rows = mails.map(({ id, received_at, kind, rcpt_to, state, outcome, size_bytes, message_id }) => [
    String(id),
    received_at,
    kind,
    rcpt_to,
    outcome ?? state,
    String(size_bytes),
    message_id ?? '',
  ]);
  return table([['id', 'received', 'kind', 'to', 'outcome', 'octets', 'message'], ...rows]);
}
