// Tests multi-line replies in packets of one byte: they are read as one reply and shown in one sentence.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { openPeers, type PeersByAddress } from '../../support/peers-by-address.js';

let peers: PeersByAddress;
let rig: MailRig;

beforeAll(async () => {
  peers = await openPeers();
  rig = await startMailRig({
    process: 'shared',
    mxPort: peers.port,
    env: { MAILKEEL_RETRY_SCHEDULE: '1h…' },
  });
});

afterAll(async () => {
  await rig.close();
  await peers.close();
});

const TO_MAIL = `
  bytes
  > 220-peer.example ESMTP
  > 220-No spam here,
  > 220 please
  < EHLO
  > 250-peer.example greets you
  > 250-SIZE 1000000
  > 250-8BITMIME
  > 250 PIPELINING
  < MAIL FROM`;
/** All three are sent together, because PIPELINING is offered. */
const TO_354 = `${TO_MAIL}
  < RCPT TO
  < DATA
  > 250-2.1.0
  > 250 2.1.0 ok
  > 250 2.1.5 ok
  > 354-go
  > 354 ahead
  body`;
const WORDS = ['The', 'mailbox', 'that', 'you', 'ask', 'for', 'is', 'not', 'known', 'here'];
const TEN_LINES = WORDS.map((word, at) => `> 550${at < 9 ? '-' : ' '}5.1.1 ${word}`).join('\n');

it('a session with split replies delivers', async () => {
  const peer = await peers.scripted(
    `${TO_354}\n> 250-2.0.0 taken,\n> 250 2.0.0 as number 7\n< QUIT\n> 221 bye\nclose`,
  );
  peers.serve(rig.dns, 'fine.example', peer);
  const id = await rig.send('anna@fine.example');
  await rig.reached(id, 'delivered');
  const trail = await rig.trail(id);
  expect(trail.at(-1)?.metadata).toMatchObject({ code: 250 });
  const [attempt] = await insightInto(rig.appliance).attempts(id);
  expect(attempt?.conversation.opening).toContain('< 220-No spam here,');
  expect(attempt?.conversation.transaction.slice(-2)).toEqual([
    '< 250-2.0.0 taken,',
    '< 250 2.0.0 as number 7',
  ]);
  expect(peer.first().surprises).toEqual([]);
});

it('the ten lines of a refusal become one sentence with one code', async () => {
  const peer = await peers.scripted(
    `${TO_MAIL}\n< RCPT TO\n< DATA\n> 250 ok\n${TEN_LINES}\n> 503 5.5.1 no recipients`,
  );
  peers.serve(rig.dns, 'unknown.example', peer);
  const id = await rig.send('anna@unknown.example');
  const message = await rig.reached(id, 'bounced');
  expect(message['error']).toMatchObject({
    type: 'hard',
    category: 'invalid_recipient',
    code: 550,
    enhanced_code: '5.1.1',
    message: `5.1.1 ${WORDS.join(' ')}`,
  });
  const trail = await rig.trail(id);
  expect(trail.find(({ event }) => event === 'bounced')?.metadata['reply']).toBe(`5.1.1 ${WORDS.join(' ')}`);
  const [attempt] = await insightInto(rig.appliance).attempts(id);
  expect(attempt?.conversation.transaction).toContain('< 550-5.1.1 mailbox');
  expect(attempt?.conversation.transaction).toContain('< 550 5.1.1 here');
});

it('a retry hint across several lines is read', async () => {
  const peer = await peers.scripted(
    `${TO_MAIL}\n< RCPT TO\n< DATA\n> 250 ok\n> 451-4.7.1 Please try again\n> 451 4.7.1 in 90 seconds\n> 503 5.5.1 no`,
  );
  peers.serve(rig.dns, 'hint.example', peer);
  const id = await rig.send('anna@hint.example');
  const trail = await rig.logged(id, 'deferred');
  const deferred = trail.at(-1);
  const waitMs =
    Date.parse(String(deferred?.metadata['next_attempt_at'])) - Date.parse(deferred?.timestamp ?? '');
  expect(deferred?.metadata['reply']).toBe('4.7.1 Please try again in 90 seconds');
  // As requested, plus up to a fifth.
  expect(waitMs).toBeGreaterThanOrEqual(90_000);
  expect(waitMs).toBeLessThanOrEqual(108_001);
});
