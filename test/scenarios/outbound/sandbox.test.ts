// Tests the first hour of a new user: a test key, no domain, no DNS, no open port, and every outcome of the mailbox simulator.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Answer, type Appliance } from '../../support/appliance.js';
import { startDnsServer, type TestDnsServer } from '../../support/dns-server.js';
import { startHttpReceiver, type HttpReceiver } from '../../support/http-receiver.js';
import { firstOf } from '../../support/run-size.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

let appliance: Appliance;
let receiver: HttpReceiver;
// Both only watch: nothing may query or connect.
let dns: TestDnsServer;
let sink: SmtpSink;

const OUTCOMES = [
  {
    to: 'deferred',
    status: 'delivered',
    trail: ['deferred', 'delivered'],
    webhooks: ['sent', 'delivered'],
  },
  {
    to: 'clicked',
    status: 'clicked',
    trail: ['delivered', 'opened', 'clicked'],
    webhooks: ['sent', 'delivered', 'opened', 'clicked'],
  },
  { to: 'bounced', status: 'bounced', trail: ['bounced'], webhooks: ['sent', 'bounced'] },
  { to: 'delivered', status: 'delivered', trail: ['delivered'], webhooks: ['sent', 'delivered'] },
  { to: 'somebody-else', status: 'delivered', trail: ['delivered'], webhooks: ['sent', 'delivered'] },
  { to: 'soft-bounced', status: 'bounced', trail: ['bounced'], webhooks: ['sent', 'bounced'] },
  {
    to: 'complained',
    status: 'complained',
    trail: ['delivered', 'complained'],
    webhooks: ['sent', 'delivered', 'complained'],
  },
  {
    to: 'opened',
    status: 'opened',
    trail: ['delivered', 'opened'],
    webhooks: ['sent', 'delivered', 'opened'],
  },
];

const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
  appliance.api(method, path, { key: appliance.keys.test_key, ...(body === undefined ? {} : { body }) });

async function send(to: string): Promise<string> {
  const answer = await ask('POST', '/v1/messages', {
    from: 'me@example.com',
    to: `${to}@example.com`,
    subject: 'Hello',
    text: 'It works.',
  });
  expect(answer.status).toBe(202);
  expect(answer.json).toMatchObject({ status: 'queued', sandbox: true, provider: null });
  return (answer.json as { id: string }).id;
}

const reached = (id: string, status: string) =>
  waitFor(
    `${id} to be ${status}`,
    async () => (await ask('GET', `/v1/messages/${id}`)).json as Record<string, unknown>,
    (message) => message['status'] === status,
  );

async function trailOf(id: string): Promise<{ event: string; actor: string; ip?: string }[]> {
  const { json } = await ask('GET', `/v1/messages/${id}/audit`);
  return (json as { trail: { event: string; actor: string; ip?: string }[] }).trail;
}

/** Names of the webhooks about a message, in order of arrival, without their `message.`. */
const webhooksOf = (id: string): string[] =>
  receiver.requests
    .map(({ rawBody }) => JSON.parse(rawBody.toString()) as { event: string; data: { id: string } })
    .filter(({ data }) => data.id === id)
    .map(({ event }) => event.replace('message.', ''));

beforeAll(async () => {
  receiver = await startHttpReceiver();
  dns = await startDnsServer();
  sink = await startSmtpSink({ keep: true });
  appliance = await createAppliance({
    process: 'shared',
    env: {
      MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true',
      MAILKEEL_RATE_LIMIT_TEST: '0',
      MAILKEEL_DNS_SERVERS: dns.address,
      MAILKEEL_ALLOW_PRIVATE_MX: 'true',
      MAILKEEL_MX_PORT: String(sink.port),
      MAILKEEL_LOG_LEVEL: 'warn',
    },
  });
  await appliance.start();
  const made = await ask('POST', '/v1/webhook-endpoints', { url: `${receiver.url}/hook` });
  expect(made.status).toBe(201);
});

afterAll(async () => {
  await appliance.close();
  await receiver.close();
  await dns.close();
  await sink.close();
});

describe.each(firstOf(4, OUTCOMES))('a test message to $to@', ({ to, status, trail, webhooks }) => {
  it(`ends as ${status}, with trail and webhooks`, async () => {
    const id = await send(to);
    const message = await reached(id, status);
    expect(message).toMatchObject({ sandbox: true, provider: 'simulator' });
    expect((await trailOf(id)).map(({ event }) => event)).toEqual(['queued', 'sending', 'sent', ...trail]);
    const arrived = await waitFor(
      'the webhooks',
      () => webhooksOf(id),
      (names) => names.length >= webhooks.length,
    );
    expect(arrived).toEqual(webhooks);
  });
});

it('a click uses the first tracked link', async () => {
  const html = '<a href="mailto:a@example.com">a</a> <a href="https://shop.example/?a=1&amp;b=2">b</a>';
  const message = { from: 'me@example.com', to: 'clicked+link@example.com', subject: 'Hello', html };
  const { id } = (await ask('POST', '/v1/messages', message)).json as { id: string };
  await reached(id, 'clicked');
  const click = (await trailOf(id)).find(({ event }) => event === 'clicked');
  expect(click).toMatchObject({ metadata: { url: 'https://shop.example/?a=1&b=2', link: 1 } });
});

it('a bounce has its error and reason, and the test can be repeated', async () => {
  for (let run = 0; run < 2; run++) {
    const id = await send('bounced+again');
    const message = await reached(id, 'bounced');
    expect(message['error']).toMatchObject({ type: 'hard', category: 'invalid_recipient', code: 550 });
    expect((await trailOf(id)).at(-1)).toMatchObject({
      metadata: {
        reason: 'The address does not exist.',
        category: 'invalid_recipient',
        code: 550,
        type: 'hard',
      },
    });
  }
  const check = await ask('GET', '/v1/suppressions/check?email=bounced%2Bagain@example.com');
  expect(check.json).toMatchObject({ suppressed: false });
});

it('a manual suppression blocks mail, as explain says', async () => {
  await ask('POST', '/v1/suppressions', { email: 'delivered+gone@example.com' });
  const id = await send('delivered+gone');
  await reached(id, 'suppressed');
  expect((await ask('GET', `/v1/messages/${id}/explain`)).json).toMatchObject({ code: 'suppressed_manual' });
});

it('attempts, conversation and explanation look like those of live mail', async () => {
  const bounced = await send('bounced+talk');
  await reached(bounced, 'bounced');
  const { json } = await ask('GET', `/v1/messages/${bounced}/attempts`);
  expect(json).toMatchObject({
    data: [
      {
        number: 1,
        outcome: 'bounced',
        phase: 'rcpt',
        code: 550,
        via: 'simulator',
        category: 'invalid_recipient',
      },
    ],
  });
  const [attempt] = (json as { data: { conversation: { transaction: string[] } }[] }).data;
  expect(attempt?.conversation.transaction.at(-1)).toBe('< 550 5.1.1 No such mailbox at the simulator');
  const explained = (await ask('GET', `/v1/messages/${bounced}/explain`)).json;
  expect(explained).toMatchObject({ code: 'bounced_no_such_mailbox' });
  const deferred = await send('deferred+talk');
  await reached(deferred, 'delivered');
  expect((await ask('GET', `/v1/messages/${deferred}/attempts`)).json).toMatchObject({
    data: [
      { number: 1, outcome: 'deferred', code: 451 },
      { number: 2, outcome: 'delivered', code: 250 },
    ],
  });
});

it('a full mailbox bounces soft without suppression', async () => {
  const id = await send('soft-bounced+full');
  const message = await reached(id, 'bounced');
  expect(message['error']).toMatchObject({ type: 'soft', category: 'quota' });
  const check = await ask('GET', '/v1/suppressions/check?email=soft-bounced%2Bfull@example.com');
  expect(check.json).toMatchObject({ suppressed: false });
});

it('a simulated complaint suppresses no one', async () => {
  const id = await send('complained+list');
  await reached(id, 'complained');
  const { json } = await ask('GET', '/v1/suppressions?reason=complaint');
  expect((json as { data: unknown[] }).data).toEqual([]);
});

it('a suppressed outcome never looks sent', async () => {
  const id = await send('suppressed');
  const message = await reached(id, 'suppressed');
  expect(message['provider']).toBeNull();
  expect((await trailOf(id)).map(({ event }) => event)).toEqual(['queued', 'suppressed']);
  const arrived = await waitFor(
    'the webhook',
    () => webhooksOf(id),
    (names) => names.length > 0,
  );
  expect(arrived).toEqual(['suppressed']);
});

it('opens and clicks have a time and a client', async () => {
  const id = await send('clicked+times');
  const message = await reached(id, 'clicked');
  expect(message['opened_at']).toMatch(/Z$/);
  expect(message['clicked_at']).toMatch(/Z$/);
  const opened = (await trailOf(id)).find(({ event }) => event === 'opened');
  expect(opened).toMatchObject({ actor: 'recipient', ip: expect.any(String) as string });
});

it('a reply becomes part of a thread', async () => {
  const id = await send('replied');
  await reached(id, 'delivered');
  const reply = await waitFor(
    'the answer',
    async () => {
      const { json } = await ask('GET', '/v1/messages?status=received');
      return (json as { data: Record<string, unknown>[] }).data[0];
    },
    (message) => message !== undefined,
  );
  expect(reply).toMatchObject({
    direction: 'inbound',
    status: 'received',
    sandbox: true,
    subject: 'Re: Hello',
    thread_id: expect.stringMatching(/^thr_/) as string,
  });
  const { json } = await ask('GET', `/v1/messages/${reply?.['id'] as string}`);
  const { received } = json as { received: { visible_text: string } };
  expect(received).toMatchObject({
    in_reply_to: id,
    quoted_text: expect.stringContaining('It works.') as string,
    // No one was queried, least of all the DNS.
    authentication: null,
  });
  expect(received.visible_text).toMatch(/^Thank you for your message\.\n\nThis is an automatic reply[^>]*$/);
  const arrived = await waitFor(
    'its webhook',
    () => webhooksOf(reply?.['id'] as string),
    (names) => names.length > 0,
  );
  expect(arrived).toEqual(['received']);
});

it('the message can be read in list, content and raw form', async () => {
  const id = await send('delivered+kept');
  await reached(id, 'delivered');
  const content = await ask('GET', `/v1/messages/${id}/content`);
  expect(content.json).toMatchObject({
    subject: 'Hello',
    text: expect.stringContaining('It works.') as string,
  });
  const raw = await ask('GET', `/v1/messages/${id}/raw`);
  expect(raw.headers.get('content-type')).toContain('message/rfc822');
  expect(raw.text).toContain('Subject: Hello');
  const list = await ask('GET', '/v1/messages?sandbox=true&limit=100');
  expect((list.json as { data: { id: string }[] }).data.map((message) => message.id)).toContain(id);
});

it('the proof of a sandbox message identifies it as such', async () => {
  const id = await send('delivered+proof');
  await reached(id, 'delivered');
  const { json } = await ask('GET', `/v1/messages/${id}/proof`);
  expect(json).toMatchObject({ bundle: { status: 'delivered' }, attestation: { sandbox: true } });
  const verified = await appliance.api('POST', '/v1/proof/verify', { body: json as object, key: '' });
  expect(verified.json).toMatchObject({ valid: true });
});

it('the live environment is not affected', async () => {
  const { json } = await appliance.api('GET', '/v1/messages');
  expect((json as { data: unknown[] }).data).toEqual([]);
  const suppressions = await appliance.api('GET', '/v1/suppressions');
  expect((suppressions.json as { data: unknown[] }).data).toEqual([]);
});

it('causes no DNS query and no connection to a mail server', () => {
  expect(dns.queries).toEqual([]);
  expect(sink.connections()).toBe(0);
});

describe('a triggered outcome', () => {
  const simulate = (id: string, event: string) => ask('POST', `/v1/messages/${id}/simulate`, { event });
  const statusOf = (answer: Answer) => (answer.json as { status: string }).status;

  async function delivered(): Promise<string> {
    const id = await send('by-hand');
    await reached(id, 'delivered');
    return id;
  }

  const byHand: [event: string, status: string, entry: string, metadata: object][] = [
    ['bounced', 'bounced', 'bounced', { type: 'hard', category: 'invalid_recipient' }],
    ['clicked', 'clicked', 'clicked', { simulated: true }],
    ['unsubscribed', 'delivered', 'unsubscribed', { simulated: true }],
    ['soft_bounced', 'bounced', 'bounced', { type: 'soft', category: 'quota' }],
    ['complained', 'complained', 'complained', {}],
    ['opened', 'opened', 'opened', { simulated: true }],
  ];
  it.each(firstOf(3, byHand))(
    '%s makes it %s, and sends webhooks',
    async (event, status, entry, metadata) => {
      const id = await delivered();
      expect(statusOf(await simulate(id, event))).toBe(status);
      const last = (await trailOf(id)).at(-1) as { event: string; metadata?: unknown } | undefined;
      expect(last).toMatchObject({ event: entry, metadata });
      if (event !== 'unsubscribed') {
        await waitFor(
          'its webhook',
          () => webhooksOf(id),
          (names) => names.includes(entry),
        );
      }
    },
  );

  it('replied creates a reply in its thread', async () => {
    const id = await delivered();
    expect((await simulate(id, 'replied')).status).toBe(200);
    const { thread_id } = await waitFor(
      'the thread',
      async () => (await ask('GET', `/v1/messages/${id}`)).json as { thread_id: string | null },
      (message) => message.thread_id !== null,
    );
    expect((await simulate(id, 'replied')).status).toBe(200);
    await waitFor(
      'the second reply',
      async () => (await ask('GET', `/v1/threads/${thread_id ?? ''}`)).json as { messages: unknown },
      ({ messages }) => (Array.isArray(messages) ? messages.length : messages) === 3,
    );
  });

  it('suppresses no one, so the address can be used again', async () => {
    const suppressed = await ask('GET', '/v1/suppressions/check?email=by-hand@example.com');
    expect(suppressed.json).toMatchObject({ suppressed: false });
    await delivered();
  });

  it('is refused if it cannot follow, and for live mail', async () => {
    const id = await delivered();
    expect((await simulate(id, 'delivered')).json).toMatchObject({
      error: { code: 'outcome_impossible', param: 'event' },
    });
    expect((await simulate(id, 'lost')).status).toBe(422);
    await simulate(id, 'bounced');
    const again = await Promise.all([simulate(id, 'bounced'), simulate(id, 'opened')]);
    expect(again.map(({ status }) => status)).toEqual([409, 409]);
    expect((await simulate('msg_00000000000000000000000000', 'opened')).status).toBe(404);
    const queued = await ask('POST', '/v1/messages', {
      from: 'me@example.com',
      to: 'by-hand@example.com',
      subject: 'Later',
      text: 'Later',
      send_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const early = await simulate((queued.json as { id: string }).id, 'opened');
    expect(early.json).toMatchObject({
      error: { message: expect.stringContaining('once it has been sent') as string },
    });
    const live = await appliance.api('POST', `/v1/messages/${id}/simulate`, {
      key: appliance.keys.live_key,
      body: { event: 'opened' },
    });
    expect(live.status).toBe(404);
  });

  it('happens once for two simultaneous requests', async () => {
    const id = await delivered();
    const both = await Promise.all([simulate(id, 'bounced'), simulate(id, 'complained')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('has a list of the addresses that produce it', async () => {
    const { json } = await ask('GET', '/v1/sandbox/addresses');
    const { data } = json as { data: { local_part: string; is_default: boolean; steps: unknown[] }[] };
    expect(data.map(({ local_part }) => local_part)).toEqual(
      expect.arrayContaining(OUTCOMES.map(({ to }) => to).filter((to) => to !== 'somebody-else')),
    );
    expect(data.filter(({ is_default }) => is_default).map(({ local_part }) => local_part)).toEqual([
      'delivered',
    ]);
    expect(data.find(({ local_part }) => local_part === 'bounced')?.steps.at(-1)).toMatchObject({
      event: 'bounced',
      reply: { code: 550, category: 'invalid_recipient' },
    });
  });

  it('is marked in the delivery log, and not in the sent body', async () => {
    const endpoints = (await ask('GET', '/v1/webhook-endpoints')).json as { data: { id: string }[] };
    const log = await ask('GET', `/v1/webhook-endpoints/${endpoints.data[0]?.id ?? ''}/deliveries?limit=1`);
    const [one] = (log.json as { data: { payload: { data: object }; request_body: string }[] }).data;
    expect(one?.payload.data).toMatchObject({ sandbox: true });
    expect(one?.request_body).not.toContain('sandbox');
  });
});
