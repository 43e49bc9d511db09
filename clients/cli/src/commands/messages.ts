// mailkeel send, messages tail, explain, trigger: the life of a message.
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Event, Message, MessageCreateParams, Mailkeel } from '@mailkeel/sdk';
import { addGlobals, running, type Running } from '../command.js';
import { connect, findConnection } from '../connect.js';
import { CommandError, EXIT, usageError } from '../exit-code.js';
import { captured, pretenceText } from '../generic.js';
import { cellText, cleanText, fields, type Printer, type Row } from '../output.js';
import { explanationText, painted } from '../presenters.js';
import { dataOf, parseJson, readBytes, textOf } from '../values.js';
import { offerEvents, offerValues } from './completion.js';
import type { World } from '../world.js';

interface SendOptions {
  from?: string;
  to?: string[];
  cc?: string[];
  bcc?: string[];
  replyTo?: string;
  subject?: string;
  text?: string;
  html?: string;
  attach?: string[];
  template?: string;
  vars?: string;
  tag?: string[];
  meta?: string[];
  type?: string;
  at?: string;
  idempotencyKey?: string;
  data?: string;
  wait?: boolean;
  timeout?: string;
  dryRun?: boolean;
}

const gather = (one: string, before: string[] | undefined): string[] => [...(before ?? []), one];

const FINAL_BAD = ['bounced', 'failed', 'suppressed', 'canceled', 'complained'];
const FINAL_GOOD = ['delivered', 'opened', 'clicked'];
const DEFAULT_WAIT_S = 300;
/** Of the names of events in a tail. */
const LONGEST_NAME = 12;
const FIRST_LOOK_MS = 250;
const LONGEST_LOOK_MS = 2_000;

export function addSend(parent: Command, world: World): void {
  const send = parent
    .command('send')
    .description('Send or schedule a message')
    .option('--from <sender>', 'Sender: an address or "Name <address>"')
    .option('--to <recipient>', 'Recipient (repeatable)', gather)
    .option('--cc <recipient>', 'Cc recipient (repeatable)', gather)
    .option('--bcc <recipient>', 'Bcc recipient (repeatable)', gather)
    .option('--reply-to <address>', 'Reply-To address')
    .option('--subject <text>', 'Subject line')
    .option('--text <text>', 'Plain-text body, @file, or - for standard input')
    .option('--html <html>', 'HTML body, @file, or - for standard input')
    .option('--attach <file>', 'File to attach (repeatable)', gather)
    .option('--template <slug>', 'Template slug or ID')
    .option('--vars <json>', 'Template variables as JSON or @file.json')
    .option('--tag <tag>', 'Tag (repeatable)', gather)
    .option('--meta <name=value>', 'Metadata (repeatable)', gather)
    .option('--type <type>', 'Message type: transactional, marketing or sales')
    .option('--at <time>', 'Send later (ISO 8601 with UTC offset)')
    .option('--idempotency-key <key>', 'Key that makes retries safe: the message is sent once')
    .option('--data <json>', 'Other request fields as JSON, @file.json, or - for standard input')
    .option('--wait', 'Wait for delivery or failure, then explain the result')
    .option('--timeout <seconds>', `Seconds to wait with --wait (default: ${DEFAULT_WAIT_S})`)
    .option('--dry-run', 'Print the request without sending it');
  addGlobals(send).addHelpText(
    'after',
    `
Examples:
  mailkeel send --to ann@example.com --from news@customer.example --subject Hello --text "Hello Ann" --wait
  mailkeel send --to ann@example.com --template welcome --vars '{"plan":"pro"}'
  mailkeel send --to ann@example.com --from news@customer.example --subject Invoice --html @mail.html --attach invoice.pdf`,
  );
  send.action(async (options: SendOptions) => sendMessage(world, options, running(world, send)));
}

async function sendMessage(world: World, options: SendOptions, run: Running): Promise<void> {
  const { printer, globals } = run;
  const timeoutS = Number(options.timeout ?? DEFAULT_WAIT_S);
  if (!(timeoutS > 0)) throw usageError('--timeout must be a number of seconds greater than 0.');
  const params = await messageOf(world, options);
  const { signal } = world;
  if (options.dryRun === true) {
    const { options: found } = await findConnection(world, globals);
    const asked = await captured(found, async (mailkeel) => {
      await mailkeel.messages.create(params);
    });
    printer.show(asked, () => pretenceText(asked));
    return;
  }
  const mailkeel = await connect(world, globals);
  const message = await mailkeel.messages.create(params, { signal });
  const siblings = (message as { recipients?: unknown }).recipients;
  const ids = Array.isArray(siblings)
    ? siblings.flatMap((one: Row) => (typeof one['id'] === 'string' ? [one['id']] : []))
    : [];
  const all = [message.id, ...ids];
  if (options.wait !== true) {
    printer.show(message, () => {
      const recipient = cellText(message.to);
      const when = message.scheduled_at === null ? '' : `, scheduled for ${cellText(message.scheduled_at)}`;
      const sandbox = message.sandbox ? ' Sandbox: not delivered.' : '';
      return `${message.id}  ${painted(printer, message.status)}  to ${recipient}${when}.${sandbox}`;
    });
    return;
  }
  await waitForAll(world, mailkeel, { ids: all, printer, timeoutMs: timeoutS * 1000 });
}

async function messageOf(world: World, options: SendOptions): Promise<MessageCreateParams> {
  const { from, to, cc, bcc, replyTo, subject, attach, template, vars, tag, meta, type, at, idempotencyKey } =
    options;
  const isId = template?.startsWith('tpl_') === true;
  const given = {
    from,
    to: to?.length === 1 ? to[0] : to,
    cc,
    bcc,
    reply_to: replyTo,
    subject,
    text: options.text === undefined ? undefined : await bodyOf(world, options.text, '--text'),
    html: options.html === undefined ? undefined : await bodyOf(world, options.html, '--html'),
    ...(isId ? { template_id: template } : { template }),
    variables: vars === undefined ? undefined : parseJson(await textOf(world, vars, '--vars'), '--vars'),
    tags: tag,
    metadata: meta === undefined ? undefined : Object.fromEntries(meta.map(pairOf)),
    type,
    send_at: at,
    idempotency_key: idempotencyKey,
    attachments:
      attach === undefined ? undefined : await Promise.all(attach.map((path) => attachmentOf(world, path))),
  };
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  // the options as given; the SDK and the server validate them
  return { ...(await dataOf(world, options.data)), ...named } as unknown as MessageCreateParams;
}

/** Standard input is not hidden, because a body is not a secret. */
async function bodyOf(world: World, given: string, flag: string): Promise<string> {
  return given === '-' ? (await world.readStdin()).toString('utf8') : textOf(world, given, flag);
}

async function attachmentOf(world: World, path: string) {
  return { filename: basename(path), content: await readBytes(world, path, '--attach') };
}

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`--meta must be name=value, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

interface Waiting {
  ids: readonly string[];
  printer: Printer;
  timeoutMs: number;
}

/** Exit code 5 when one of them is refused, 8 when only some are. */
async function waitForAll(
  world: World,
  mailkeel: Mailkeel,
  { ids, printer, timeoutMs }: Waiting,
): Promise<void> {
  const explained: Row[] = [];
  let refused = 0;
  for (const id of ids) {
    await waitForOne(world, mailkeel, { id, printer, timeoutMs });
    // With its `id`, as without --wait.
    const explanation: Row = { id, ...(await mailkeel.messages.explain(id, { signal: world.signal })) };
    explained.push(explanation);
    if (FINAL_BAD.includes(String(explanation['status']))) refused += 1;
  }
  const [only] = explained;
  printer.show(ids.length === 1 ? only : { object: 'list', data: explained }, () =>
    explained.map((one) => explanationText(printer, one)).join('\n\n'),
  );
  if (refused === 0) return;
  const message =
    ids.length === 1
      ? 'The message was not delivered.'
      : `${refused} of ${ids.length} messages were not delivered.`;
  const exitCode = refused === ids.length ? EXIT.refused : EXIT.partlyFailed;
  throw new CommandError(exitCode, 'not_delivered', message);
}

async function waitForOne(
  world: World,
  mailkeel: Mailkeel,
  { id, printer, timeoutMs }: { id: string; printer: Printer; timeoutMs: number },
): Promise<void> {
  const endsAt = performance.now() + timeoutMs;
  let seen = '';
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS)) {
    const { status } = await mailkeel.messages.get(id, { signal: world.signal });
    if (status !== seen && !printer.isJson) printer.note(`${id}  ${painted(printer, status)}`);
    seen = status;
    if (FINAL_GOOD.includes(status) || FINAL_BAD.includes(status)) return;
    if (performance.now() >= endsAt) {
      const remedy = `To check it later, run "mailkeel explain ${id}".`;
      throw new CommandError(EXIT.other, 'still_waiting', `${id} is still ${status}.`, remedy);
    }
    await world.sleep(pauseMs);
    world.signal.throwIfAborted();
  }
}

export function addTail(parent: Command, world: World): void {
  const tail = parent
    .command('tail')
    .description('Stream message events; reconnects automatically')
    .option('--events <names>', 'Events to show, separated by commas')
    .option('--after <event-id>', 'Start after this event instead of now')
    .option('--tag <tag>', 'Show only messages with this tag');
  offerEvents(tail);
  addGlobals(tail).addHelpText(
    'after',
    '\nExamples:\n  mailkeel messages tail\n  mailkeel messages tail --events message.bounced,message.complained --json',
  );
  tail.action(async ({ events, after, tag }: { events?: string; after?: string; tag?: string }) => {
    const { printer, globals } = running(world, tail);
    const mailkeel = await connect(world, globals);
    for await (const event of mailkeel.events.stream(streamOptions(world, printer, { events, after }))) {
      const isOfMessage = /^(message|recipient)\./.test(event.event);
      if (!isOfMessage || (tag !== undefined && !event.tags.includes(tag))) continue;
      printer.line(event, () => eventText(printer, event));
    }
  });
}

export function streamOptions(
  world: World,
  printer: Pick<Printer, 'note'>,
  { events, after }: { events?: string | undefined; after?: string | undefined },
) {
  return {
    signal: world.signal,
    onReset: ({ resumeAfter }: { resumeAfter: string }) =>
      printer.note(
        `A backup was restored, so some of the events above may no longer apply. Resuming after ${resumeAfter}.`,
      ),
    // as given in the option; the server refuses unknown names
    ...(events === undefined
      ? {}
      : { types: events.split(',').map((name) => name.trim()) as Event['event'][] }),
    ...(after === undefined ? {} : { lastEventId: after }),
  };
}

function eventText(printer: Printer, { occurred_at: at, event, data, sandbox }: Event): string {
  const { reason, reply, recipient, to } = data.metadata;
  const detail = [recipient ?? to, reason ?? reply]
    .filter((one) => typeof one === 'string')
    .map((one) => cleanText(one));
  const [, what = event] = event.split('.');
  return [
    printer.paint('dim', cellText(at)),
    painted(printer, what) + ' '.repeat(Math.max(0, LONGEST_NAME - what.length)),
    data.id,
    ...(sandbox ? ['(sandbox)'] : []),
    ...detail,
  ].join('  ');
}

export function addExplain(program: Command, world: World): void {
  const explain = addGlobals(program.command('explain <message-id>'))
    .description("Explain a message's status and suggest next steps")
    .addHelpText('after', '\nExample:\n  mailkeel explain msg_01kdyak3se4w5amvgkazjzkvb7');
  explain.action(async (id: string) => {
    const { printer, globals } = running(world, explain);
    const answer = await (await connect(world, globals)).messages.explain(id, { signal: world.signal });
    printer.show(answer, () => explanationText(printer, { ...answer }));
  });
}

/** The sandbox step that causes each event, and the simulation if no address causes it. */
const TRIGGERS: Readonly<Record<string, { step: string; outcome: string | null }>> = {
  'message.sent': { step: 'sent', outcome: null },
  'message.delivered': { step: 'delivered', outcome: null },
  'message.bounced': { step: 'bounced', outcome: 'bounced' },
  'message.deferred': { step: 'deferred', outcome: null },
  'message.suppressed': { step: 'suppressed', outcome: null },
  'message.complained': { step: 'complained', outcome: 'complained' },
  'message.opened': { step: 'opened', outcome: 'opened' },
  'message.clicked': { step: 'clicked', outcome: 'clicked' },
  'message.received': { step: 'replied', outcome: 'replied' },
  'message.unsubscribed': { step: 'unsubscribed', outcome: 'unsubscribed' },
};
const TRIGGER_WAIT_MS = 60_000;

export function addTrigger(program: Command, world: World): void {
  const trigger = program
    .command('trigger <event>')
    .description('Trigger a test event in the sandbox')
    .option('--from <sender>', 'Sender to use (default: your default sender)')
    .option('--endpoint <id>', 'Send the test event to this webhook endpoint without creating a message');
  offerValues(trigger, Object.keys(TRIGGERS));
  addGlobals(trigger).addHelpText(
    'after',
    `
Events: ${Object.keys(TRIGGERS).join(', ')}
Examples:
  mailkeel trigger message.bounced
  mailkeel trigger message.opened --endpoint whe_01kdyak3se4w5amvgkazjzkvb7`,
  );
  trigger.action(async (event: string, options: { from?: string; endpoint?: string }) => {
    const { printer, globals } = running(world, trigger);
    const mailkeel = await connect(world, globals);
    const { signal } = world;
    if (options.endpoint !== undefined) {
      const delivery = await mailkeel.webhookEndpoints.test(
        options.endpoint,
        { event: event as never },
        { signal },
      );
      printer.show(delivery, () => fields(printer, { id: delivery.id, event, status: delivery.status }));
      return;
    }
    const name = event.startsWith('message.') ? event : `message.${event}`;
    const wanted = Object.hasOwn(TRIGGERS, name) ? TRIGGERS[name] : undefined;
    if (wanted === undefined) {
      throw usageError(
        `The sandbox can't trigger ${event}.`,
        `Supported events: ${Object.keys(TRIGGERS).join(', ')}.`,
      );
    }
    const { api_key: key, mode } = await mailkeel.me.get({ signal });
    if (mode !== 'test') {
      throw usageError(
        `${key === null ? 'This session' : 'This key'} is live. No message was sent.`,
        'Use a test key: pass --test, or run "mailkeel login --test".',
      );
    }
    const message = await triggered(world, mailkeel, { ...wanted, from: options.from });
    printer.show(
      message,
      () => `${message.id}  ${painted(printer, message.status)}  Triggered ${name} in the sandbox.`,
    );
  });
}

/** Sends a message to the address that causes the event. If there is none, simulates the recipient's action after the delivery. */
async function triggered(
  world: World,
  mailkeel: Mailkeel,
  { step, outcome, from }: { step: string; outcome: string | null; from: string | undefined },
): Promise<Message> {
  const { signal } = world;
  const { data: addresses } = await mailkeel.messages.listSandboxAddresses({ signal });
  const [doing] = addresses
    .filter(({ steps }) => steps.some(({ event }) => event === step))
    .sort((a, b) => a.steps.length - b.steps.length);
  const to = doing?.example ?? addresses.find((one) => one.is_default)?.example;
  if (to === undefined || (doing === undefined && outcome === null)) {
    throw new CommandError(EXIT.other, 'no_address', `No sandbox address simulates "${step}".`);
  }
  const html =
    '<p>This message triggers a test event. It contains <a href="https://example.com/">a link</a>.</p>';
  const params = { to, subject: 'Test event', html, ...(from === undefined ? {} : { from }) };
  const { id } = await mailkeel.messages.create(params, { signal });
  // A reply is a separate message, which the trail does not contain.
  const awaited = doing === undefined || step === 'replied' ? 'delivered' : step;
  await trailHas(world, mailkeel, { id, event: awaited });
  if (doing !== undefined) return mailkeel.messages.get(id, { signal });
  return mailkeel.messages.simulate(id, { event: outcome as never }, { signal });
}

async function trailHas(
  world: World,
  mailkeel: Mailkeel,
  { id, event }: { id: string; event: string },
): Promise<void> {
  const endsAt = performance.now() + TRIGGER_WAIT_MS;
  for (;;) {
    const { trail } = await mailkeel.messages.getAudit(id, { signal: world.signal });
    if (trail.some((entry) => entry.event === event)) return;
    if (performance.now() >= endsAt) {
      const remedy = `To see its status, run "mailkeel explain ${id}".`;
      throw new CommandError(EXIT.other, 'still_waiting', `${id} did not reach "${event}" in time.`, remedy);
    }
    await world.sleep(FIRST_LOOK_MS);
    world.signal.throwIfAborted();
  }
}
