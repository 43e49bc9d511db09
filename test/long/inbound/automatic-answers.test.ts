// Tests automatic replies: ignored at addresses for bounces, and stored but not counted as replies at addresses for replies.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHttpReceiver, type HttpReceiver } from '../../support/http-receiver.js';
import { events, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { fieldOf } from '../../support/raw-mail.js';

let rig: SinkRig;
let webhooks: HttpReceiver;

beforeAll(async () => {
  rig = await startMailRigWithSink({ process: 'shared' });
  webhooks = await startHttpReceiver();
  const made = await rig.appliance.api('POST', '/v1/webhook-endpoints', {
    body: { url: `${webhooks.url}/hook` },
  });
  expect(made.status).toBe(201);
});

afterAll(async () => {
  await rig.close();
  await webhooks.close();
});

const corpus = (file: string): string =>
  readFileSync(new URL(`../../corpus/auto-replies/${file}.eml`, import.meta.url), 'latin1');

const DELIVERED = ['queued', 'sending', 'sent', 'delivered'];

it.each([
  { file: '03-exchange-online-english' },
  { file: '07-unix-vacation' },
  { file: '14-read-receipt' },
  { file: '16-challenge' },
])('$file to the return path changes nothing', async ({ file }) => {
  const { id, mail } = await rig.deliver(`to-return-path-${file.slice(0, 2)}`);
  expect(await rig.comesBack(corpus(file), mail.mailFrom)).toMatchObject({
    kind: 'return_path',
    state: 'done',
    outcome: 'automatic',
  });
  expect(await rig.message(id)).toMatchObject({ status: 'delivered', error: null, thread_id: null });
  expect(events(await rig.trail(id))).toEqual(DELIVERED);
});

it("a person's mail to the return path changes nothing either", async () => {
  const { id, mail } = await rig.deliver('to-return-path-by-hand');
  const raw = corpus('22-person-about-a-vacation');
  expect(await rig.comesBack(raw, mail.mailFrom, 'ann@customer.example')).toMatchObject({
    outcome: 'unrecognized',
  });
  expect(await rig.message(id)).toMatchObject({ status: 'delivered', thread_id: null });
});

it.each([
  { file: '06-gmail-vacation-responder', from: '', kind: 'vacation' },
  { file: '04-exchange-german-subject-only', from: 'ann@customer.example', kind: 'vacation' },
  { file: '12-ticket-system-confirmation', from: 'ann@customer.example', kind: 'auto-generated' },
  { file: '14-read-receipt', from: '', kind: 'receipt' },
  { file: '16-challenge', from: '', kind: 'challenge' },
])('$file to the reply address is recorded as $kind, and is not a reply', async ({ file, from, kind }) => {
  const { id, mail } = await rig.deliver(`to-reply-${file.slice(0, 2)}`);
  const settled = await rig.comesBack(corpus(file), fieldOf(mail.raw, 'Reply-To') ?? '', from);
  expect(settled).toMatchObject({ kind: 'reply', outcome: 'auto_reply' });
  const answer = String(settled.detail['message']);
  expect(await rig.message(answer)).toMatchObject({
    direction: 'inbound',
    status: 'received',
    thread_id: null,
    received: { auto_reply: kind, in_reply_to: id },
  });
  expect(events(await rig.trail(answer))).toEqual(['auto_replied']);
  // The answered message keeps its status and records the reply in its trail.
  expect(await rig.message(id)).toMatchObject({ status: 'delivered', thread_id: null });
  const trail = await rig.trail(id);
  expect(events(trail)).toEqual([...DELIVERED, 'auto_replied']);
  expect(trail.at(-1)).toMatchObject({
    actor: 'recipient',
    metadata: { auto_reply: kind, message_id: answer },
  });
});

it('the feed has it, but no webhook reports a received message', async () => {
  const { id, mail } = await rig.deliver('told');
  const to = fieldOf(mail.raw, 'Reply-To') ?? '';
  const auto = await rig.comesBack(corpus('01-rfc3834-auto-replied'), to);
  const person = await rig.comesBack(corpus('29-person-auto-reply-question'), to, 'ann@customer.example');
  expect(person).toMatchObject({ outcome: 'reply' });
  const { json } = await rig.appliance.api('GET', '/v1/events?limit=10');
  const feed = (json as { data: { event: string; data: { id: string } }[] }).data.map(
    ({ event, data }) => `${event} ${data.id}`,
  );
  expect(feed.slice(0, 3)).toEqual([
    `message.received ${String(person.detail['message'])}`,
    `message.auto_replied ${id}`,
    `message.auto_replied ${String(auto.detail['message'])}`,
  ]);
  const told = () =>
    webhooks.requests.map(
      ({ rawBody }) => JSON.parse(rawBody.toString()) as { event: string; data: { id: string } },
    );
  await expect
    .poll(() => told().filter(({ event }) => event === 'message.received'), { timeout: 10_000 })
    .toEqual([expect.objectContaining({ data: expect.objectContaining({ id: person.detail['message'] }) })]);
  expect(told().map(({ event }) => event)).not.toContain('message.auto_replied');
});

it('an automatic reply in a conversation belongs to it, and does not reopen a closed one', async () => {
  const { id, mail } = await rig.deliver('away');
  const to = fieldOf(mail.raw, 'Reply-To') ?? '';
  const reply = await rig.comesBack(corpus('22-person-about-a-vacation'), to, 'ann@customer.example');
  const thread = String(reply.detail['thread']);
  expect(await rig.message(id)).toMatchObject({ thread_id: thread });
  const path = `/v1/threads/${thread}`;
  expect((await rig.appliance.api('PATCH', path, { body: { status: 'closed' } })).status).toBe(200);
  const auto = await rig.comesBack(corpus('02-sieve-vacation'), to);
  expect(auto).toMatchObject({ outcome: 'auto_reply', detail: { thread } });
  expect((await rig.appliance.api('GET', path)).json).toMatchObject({ status: 'closed' });
  // A person's does.
  await rig.comesBack(corpus('26-person-auto-submitted-no'), to, 'ann@customer.example');
  expect((await rig.appliance.api('GET', path)).json).toMatchObject({ status: 'open' });
});

it('nothing of this caused a mail', () => {
  expect(rig.sink.messages.map(({ rcptTo }) => rcptTo[0]?.split('@')[1])).toEqual(
    rig.sink.messages.map(() => 'receiver.example'),
  );
});
