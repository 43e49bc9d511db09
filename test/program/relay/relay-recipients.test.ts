// Tests that the envelope decides who gets a submitted mail: one message each, blind copies stay blind, and no recipient delays
// the others.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { events, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { fieldOf, lines } from '../../support/raw-mail.js';
import { waitFor } from '../../support/wait.js';

let relay: SinkRig;
beforeAll(async () => {
  relay = await startMailRigWithSink({
    process: 'shared',
    sink: { onRcpt: (address) => (address.startsWith('gone@') ? '550 5.1.1 No such user' : null) },
  });
});
afterAll(() => relay.close());

const HEADER = [
  'From: The Shop <orders@shop.example>',
  'To: Ann <ann@receiver.example>, undisclosed: ;',
  'Cc: "Bob, B." <BOB@receiver.example>',
  'Bcc: eve@receiver.example,',
  '\tmallory@receiver.example',
  'Subject: For some of you',
];

it('creates one message for each recipient by role, and hides blind ones', async () => {
  const to = ['ann@receiver.example', 'bob@receiver.example', 'eve@receiver.example'];
  const { reply, ids } = await relay.submit({ to, raw: lines(...HEADER, '', 'Hi') });
  expect(reply).toMatch(/^250 2\.0\.0 Queued as msg_\w+, msg_\w+, msg_\w+$/);
  const shown = await Promise.all(ids.map((id) => relay.reached(id, 'delivered')));
  expect(shown.map((message) => [message['to'], message['recipient_role']])).toEqual([
    ['ann@receiver.example', 'to'],
    ['bob@receiver.example', 'cc'],
    ['eve@receiver.example', 'bcc'],
  ]);
  for (const address of to) {
    const { raw, rcptTo } = await relay.arrived(address);
    expect(rcptTo).toEqual([address]);
    expect(raw.toString()).not.toMatch(/eve@|mallory@|^bcc/im);
    expect(fieldOf(raw, 'To')).toBe('Ann <ann@receiver.example>, undisclosed: ;');
    expect(fieldOf(raw, 'Cc')).toBe('"Bob, B." <BOB@receiver.example>');
  }
  const returnPaths = new Set(relay.sink.messages.map(({ mailFrom }) => mailFrom));
  expect(returnPaths.size).toBe(3);
  for (const id of ids) {
    expect(events(await relay.trail(id))).toEqual(['queued', 'sending', 'sent', 'delivered']);
  }
  // Mallory stood in the header only.
  const { json } = await relay.appliance.api('GET', '/v1/messages?to=mallory@receiver.example');
  expect(json.data).toEqual([]);
});

it('delivers to a list although the header names no one', async () => {
  const raw = lines('From: orders@shop.example', 'To: friends@lists.example', '', 'Hi');
  const { ids } = await relay.submit({ to: 'friend@receiver.example', raw });
  expect((await relay.arrived('friend@receiver.example')).raw.toString()).toContain(
    'To: friends@lists.example\r\n',
  );
  expect((await relay.message(ids[0] ?? ''))['recipient_role']).toBe('bcc');
});

it('refuses an invalid address at RCPT, sends to the others, and ignores duplicates', async () => {
  const to = [
    'no-domain',
    'x@localhost',
    'x@receiver.example.',
    'twice@receiver.example',
    'TWICE@receiver.example',
  ];
  const { reply, refused, ids } = await relay.submit({
    to,
    raw: lines('From: orders@shop.example', '', 'Hi'),
  });
  expect(refused.every((answer) => /^5(?:53 5\.1\.3|01 5\.\d\.\d) /.test(answer))).toBe(true);
  expect(refused.length).toBeGreaterThanOrEqual(2);
  expect(reply).toMatch(/^250 /);
  expect(ids).toHaveLength(1);
  expect((await relay.reached(ids[0] ?? '', 'delivered'))['to']).toMatch(/^twice@receiver\.example$/i);
});

it('does not send to suppressed recipients, and bounces unknown ones without affecting others', async () => {
  const blocked = 'blocked@receiver.example';
  await relay.appliance.api('POST', '/v1/suppressions', {
    body: { email: 'Blocked@receiver.example', reason: 'manual' },
  });
  const to = ['fine@receiver.example', blocked, 'gone@receiver.example'];
  const { reply, ids } = await relay.submit({ to, raw: lines('From: orders@shop.example', '', 'Hi') });
  expect(reply).toMatch(/^250 /);
  const [fine, suppressed, gone] = ids as [string, string, string];
  await relay.reached(fine, 'delivered');
  await relay.reached(suppressed, 'suppressed');
  expect(events(await relay.trail(suppressed))).toEqual(['queued', 'suppressed']);
  const bounced = await relay.reached(gone, 'bounced');
  expect(bounced['error']).toMatchObject({ type: 'hard', category: 'invalid_recipient' });
  expect(relay.sink.messages.some(({ rcptTo }) => rcptTo[0] === blocked)).toBe(false);
  // A bounced recipient gets no further mail.
  const again = await relay.submit({
    to: 'gone@receiver.example',
    raw: lines('From: orders@shop.example', '', 'Hi'),
  });
  expect(again.reply).toMatch(/^250 /);
  await relay.reached(again.ids[0] ?? '', 'suppressed');
});

it('accepts at most a hundred recipients per mail', async () => {
  const to = Array.from({ length: 101 }, (_, i) => `member${i}@receiver.example`);
  const before = relay.sink.count();
  const { reply, refused } = await relay.submit({
    to,
    raw: lines('From: orders@shop.example', 'X-Service-Tag: everybody', '', 'Hi'),
  });
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatch(/^452 4\.5\.3 /);
  expect(reply).toMatch(/^250 2\.0\.0 Queued as (?:msg_\w+, ){2}msg_\w+ and 97 more$/);
  await waitFor(
    'all of them',
    () => relay.sink.count() - before,
    (count) => count === 100,
    20_000,
  );
  const ids = new Set<string>();
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { json } = await relay.appliance.api('GET', `/v1/messages?tag=everybody&limit=100${query}`);
    for (const { id } of json.data as { id: string }[]) ids.add(id);
    cursor = json.next_cursor as string | null;
  } while (cursor !== null);
  expect(ids.size).toBe(100);
});
