// Tests that the limits of the inbound listener apply: size, hops, recipients, sessions and rates per address.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAILBOX, question } from '../../support/incoming-mail.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import type { RawClient } from '../../support/raw-client.js';
import { tuned } from '../../support/tuning.js';

let rig: MailRig;

beforeAll(async () => {
  rig = await startMailRig({
    process: 'shared',
    env: {
      MAILKEEL_INBOUND_SIZE_LIMIT: '64KiB',
      ...tuned({ inboundMaxReceived: 5 }),
      MAILKEEL_INBOUND_CONNECTIONS_PER_ADDRESS: '3',
      MAILKEEL_INBOUND_MESSAGE_RATE: '4/min',
      MAILKEEL_INBOUND_UNLIMITED_CLIENTS: '127.0.0.1',
    },
  });
});

afterAll(() => rig.close());

async function sent(client: RawClient, raw: string): Promise<string> {
  await client.say('RSET', 'MAIL FROM:<bob@receiver.example>', `RCPT TO:<${MAILBOX}>`, 'DATA');
  client.write(`${raw}\r\n.\r\n`);
  return client.reply();
}

it('refuses a message that is too large, declared or not', async () => {
  const client = await rig.client();
  expect(await client.say('MAIL FROM:<bob@receiver.example> SIZE=65537')).toMatch(/^552 5\.3\.4 /);
  expect(await sent(client, question('large') + 'x'.repeat(1_000).concat('\r\n').repeat(70))).toMatch(
    /^552 5\.3\.4 /,
  );
  expect(await sent(client, question('small enough'))).toMatch(/^250 /);
  client.hangUp();
});

it('refuses a message in a mail loop', async () => {
  const client = await rig.client();
  const hops = (count: number): string[] =>
    Array.from(
      { length: count },
      (_, hop) => `Received: from a${hop}.example by b${hop}.example; Sat, 21 Nov 2026 10:00:00 +0000`,
    );
  expect(await sent(client, question('a loop', hops(5)))).toMatch(/^554 5\.4\.6 /);
  expect(await sent(client, question('a long way', hops(4)))).toMatch(/^250 /);
  client.hangUp();
});

it('refuses ten thousand recipients, unknown or repeated', async () => {
  const guesser = await rig.client();
  await guesser.say('MAIL FROM:<bob@receiver.example>');
  guesser.write(
    Array.from({ length: 10_000 }, (_, index) => `RCPT TO:<user${index}@mta.platform.example>\r\n`).join(''),
  );
  const replies = await guesser.rest();
  expect(replies.filter((reply) => reply.startsWith('550'))).toHaveLength(10);
  expect(replies.at(-1)).toMatch(/^421 4\.7\.0 /);

  const flooder = await rig.client();
  await flooder.say('MAIL FROM:<bob@receiver.example>');
  flooder.write(
    Array.from({ length: 10_000 }, (_, index) => `RCPT TO:<u${index}@reply.shop.example>\r\n`).join(''),
  );
  const said = await flooder.rest();
  expect(said.filter((reply) => reply.startsWith('250'))).toHaveLength(100);
  expect(said.filter((reply) => reply.startsWith('452'))).not.toHaveLength(0);
  expect(said.at(-1)).toMatch(/^421 4\.7\.0 /);
});

it('limits the sessions of one address without affecting others or its own senders', async () => {
  const clients = [
    await rig.client('127.0.0.2'),
    await rig.client('127.0.0.2'),
    await rig.client('127.0.0.2'),
  ];
  const turnedAway = await rig.client('127.0.0.2').catch(() => null);
  expect(turnedAway?.transcript ?? '421 4.7.0 ').toMatch(/^421 4\.7\.0 /);
  const other = await rig.client('127.0.0.3');
  expect(await other.say('NOOP')).toMatch(/^250 /);
  const own = await Promise.all(Array.from({ length: 10 }, () => rig.client('127.0.0.1')));
  for (const client of [...clients, other, ...own]) client.hangUp();
});

it('defers messages of an address beyond its limit per minute', async () => {
  const client = await rig.client('127.0.0.4');
  for (let index = 0; index < 4; index += 1) {
    expect(await sent(client, question(`message ${index}`))).toMatch(/^250 /);
  }
  expect(await client.say('MAIL FROM:<bob@receiver.example>')).toMatch(/^452 4\.7\.1 /);
  client.hangUp();
  const other = await rig.client('127.0.0.5');
  expect(await sent(other, question('from elsewhere'))).toMatch(/^250 /);
  other.hangUp();
});

it('stores exactly the accepted messages', async () => {
  expect(await rig.subjects(7)).toEqual([
    'a long way',
    'from elsewhere',
    'message 0',
    'message 1',
    'message 2',
    'message 3',
    'small enough',
  ]);
});
