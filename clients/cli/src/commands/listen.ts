// mailkeel webhooks listen: events as they happen, posted to a URL of this machine as a webhook is: the same octets, signed.
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { webhooks, type Event, type Mailkeel, type WebhookDelivery } from '@mailkeel/sdk';
import { addGlobals, running, type Running } from '../command.js';
import { connect } from '../connect.js';
import { usageError } from '../exit-code.js';
import { OPERATIONS } from '../operations.js';
import { cellText } from '../output.js';
import { textOf } from '../values.js';
import { offerEvents } from './completion.js';
import { streamOptions } from './messages.js';
import type { World } from '../world.js';

interface ListenOptions {
  forwardTo: string;
  events?: string;
  secret?: string;
  after?: string;
}

interface Posted {
  headers: Record<string, string>;
  body: string;
  event: string;
  /** ID of the message or sub-tenant. */
  about: string;
}

const POST_TIMEOUT_MS = 30_000;
const LOOK_EVERY_MS = 2_000;
const MOST_SEEN = 10_000;
/** Events of other records, and two message events, must be named. */
const OF_MAIL = /^(message|recipient|tenant)\./;
const MUST_BE_NAMED = ['message.deferred', 'message.unsubscribed'];
/** Set by the code that posts. */
const OWN_HEADERS = ['content-length', 'host', 'connection', 'transfer-encoding'];

export function addListen(parent: Command, world: World): void {
  const listen = parent
    .command('listen [endpoint-id]')
    .description('Forward webhook events to a local URL')
    .requiredOption('--forward-to <url>', 'URL to forward to, for example http://localhost:3000/hooks')
    .option('--events <names>', 'Events to forward, separated by commas')
    .option(
      '--secret <secret>',
      'Signing secret: - to prompt or read standard input, @file to read a file (default: generated and printed)',
    )
    .option('--after <event-id>', 'Start after this event instead of now');
  offerEvents(listen);
  addGlobals(listen).addHelpText(
    'after',
    `
If you pass an endpoint ID, deliveries to that endpoint are also posted to your URL, with the original body,
headers and signature.
Examples:
  mailkeel webhooks listen --forward-to http://localhost:3000/hooks
  mailkeel webhooks listen --forward-to http://localhost:3000/hooks --events message.bounced,message.complained
  mailkeel webhooks listen --forward-to http://localhost:3000/hooks --secret - < secret.txt
  mailkeel webhooks listen whe_01kdyak3se4w5amvgkazjzkvb7 --forward-to http://localhost:3000/hooks`,
  );
  listen.action(async (endpointId: string | undefined, options: ListenOptions) => {
    const run = running(world, listen);
    checkTarget(options.forwardTo);
    const mailkeel = await connect(world, run.globals);
    if (endpointId !== undefined) return listenToEndpoint(world, mailkeel, { endpointId, options, run });
    return listenToStream(world, mailkeel, { options, run });
  });
}

function checkTarget(target: string): void {
  const isRight = URL.canParse(target) && /^https?:$/.test(new URL(target).protocol);
  if (!isRight) throw usageError('--forward-to must be a URL, for example http://localhost:3000/hooks.');
}

async function listenToStream(
  world: World,
  mailkeel: Mailkeel,
  { options, run }: { options: ListenOptions; run: Running },
): Promise<void> {
  const wanted = wantedEvents(options.events);
  const given = options.secret === undefined ? null : await givenSecret(world, options.secret);
  const secret = given ?? `whsec_${randomBytes(32).toString('base64')}`;
  run.printer.note(`Forwarding events to ${options.forwardTo}. Press Ctrl-C to stop.`);
  // A given secret is known to the user and need not be shown.
  if (given === null) run.printer.note(`Webhook signing secret: ${secret}`);
  for await (const event of mailkeel.events.stream(streamOptions(world, run.printer, options))) {
    if (!wanted.includes(event.event)) continue;
    await forward(world, run, { target: options.forwardTo, posted: postedOf(event, secret) });
  }
}

async function givenSecret(world: World, given: string): Promise<string> {
  const secret = (await textOf(world, given, '--secret')).trim();
  if (secret === '') throw usageError('The signing secret is empty.');
  return secret;
}

/** Returns the events to forward, as an endpoint would get them. The stream has more events than webhooks. */
function wantedEvents(named: string | undefined): readonly string[] {
  const create = OPERATIONS.find(({ id }) => id === 'webhookEndpoints.create');
  const all = create?.body?.find(({ name }) => name === 'events')?.values ?? [];
  if (named === undefined) return all.filter((name) => OF_MAIL.test(name) && !MUST_BE_NAMED.includes(name));
  const wanted = named.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined)
    throw usageError(`Unknown webhook event: ${unknown}.`, `Available events: ${all.join(', ')}.`);
  return wanted;
}

/** The body that a webhook of this event has, octet for octet, with signatures of now. */
function postedOf({ id, event, occurred_at, data }: Event, secret: string): Posted {
  const body = JSON.stringify({ event, occurred_at, data: { id: data.id, event, occurred_at } });
  const delivery = `whd_${id.replace(/^evt_/, '')}`;
  const headers = {
    'content-type': 'application/json',
    ...webhooks.sign(body, secret, { id: delivery }),
    'service-event': event,
    'service-delivery': delivery,
    'service-attempt': '1',
  };
  return { headers, body, event, about: data.id };
}

/** Follows the endpoint's delivery log, whether or not the endpoint itself can be reached. */
async function listenToEndpoint(
  world: World,
  mailkeel: Mailkeel,
  { endpointId, options, run }: { endpointId: string; options: ListenOptions; run: Running },
): Promise<void> {
  if (options.secret !== undefined || options.after !== undefined) {
    throw usageError(
      "--secret and --after can't be used with an endpoint ID. Its deliveries are already signed.",
    );
  }
  const wanted = options.events === undefined ? null : wantedEvents(options.events);
  const { signal } = world;
  // Looks up the ID immediately so that a wrong one is reported now.
  const endpoint = await mailkeel.webhookEndpoints.get(endpointId, { signal });
  const seen = new Set<string>();
  const latest = await mailkeel.webhookEndpoints.listDeliveries(endpointId, {}, { signal });
  for (const { id } of latest.data) seen.add(id);
  run.printer.note(`Forwarding deliveries of ${endpoint.url} to ${options.forwardTo}. Press Ctrl-C to stop.`);
  while (!signal.aborted) {
    for (const delivery of await newDeliveries(world, mailkeel, { endpointId, seen })) {
      const posted = postedAgain(delivery);
      if (posted === null) continue;
      seen.add(delivery.id);
      if (wanted === null || wanted.includes(delivery.event)) {
        await forward(world, run, { target: options.forwardTo, posted });
      }
    }
    forgetOldest(seen);
    await world.sleep(LOOK_EVERY_MS);
  }
  signal.throwIfAborted();
}

/** Returns deliveries that have not been posted here yet, oldest first. */
async function newDeliveries(
  { signal }: World,
  mailkeel: Mailkeel,
  { endpointId, seen }: { endpointId: string; seen: ReadonlySet<string> },
): Promise<WebhookDelivery[]> {
  const found: WebhookDelivery[] = [];
  for await (const page of mailkeel.webhookEndpoints.listDeliveries(endpointId, {}, { signal }).pages()) {
    const unseen = page.data.filter(({ id }) => !seen.has(id));
    found.unshift(...unseen.reverse());
    if (unseen.length < page.data.length || seen.size === 0) break;
  }
  return found;
}

function forgetOldest(seen: Set<string>): void {
  for (const id of seen) {
    if (seen.size <= MOST_SEEN) return;
    seen.delete(id);
  }
}

/** The body of the last attempt; null before the first. */
function postedAgain({ attempts, request_body: body, event, payload }: WebhookDelivery): Posted | null {
  const sent = attempts.at(-1)?.request_headers;
  if (sent === null || sent === undefined) return null;
  const headers = Object.fromEntries(
    Object.entries(sent).filter(([name]) => !OWN_HEADERS.includes(name.toLowerCase())),
  );
  return { headers, body, event, about: payload.data.id };
}

/** Reports a receiver that refuses or is unreachable, and continues. */
async function forward(
  { signal }: World,
  { printer }: Running,
  { target, posted }: { target: string; posted: Posted },
): Promise<void> {
  const { event, about, headers, body } = posted;
  const startedAt = performance.now();
  const outcome = await post(target, { headers, body }, signal);
  const took = Math.round(performance.now() - startedAt);
  const isGood = outcome.status !== null && outcome.status < 300;
  printer.line({ object: 'forwarded', event, id: about, ...outcome, duration_ms: took }, () => {
    const answer =
      outcome.status === null ? `no response: ${cellText(outcome.error)}` : String(outcome.status);
    return `${event}  ${about}  ->  ${printer.paint(isGood ? 'green' : 'red', answer)}  ${took} ms`;
  });
}

async function post(
  target: string,
  { headers, body }: Pick<Posted, 'headers' | 'body'>,
  signal: AbortSignal,
): Promise<{ status: number | null; error: string | null }> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(POST_TIMEOUT_MS)]);
    const response = await fetch(target, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: limit,
    });
    await response.body?.cancel();
    return { status: response.status, error: null };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { status: null, error: cause instanceof Error ? cause.message || cause.name : String(cause) };
  }
}
