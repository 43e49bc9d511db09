// Tests a destination that cannot be reached, or that refuses every session: the path waits as a whole. The messages keep their
// order and their retry steps, and all are sent when it is back.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { openPeers, type PeersByAddress } from '../../support/peers-by-address.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { tuned } from '../../support/tuning.js';

const MESSAGES = 30;

let peers: PeersByAddress;
let rig: MailRig;
let sink: SmtpSink | null = null;

beforeAll(async () => {
  peers = await openPeers();
  rig = await startMailRig({
    process: 'shared',
    mxPort: peers.port,
    env: {
      // A message that loses three steps is not retried again in this test.
      MAILKEEL_RETRY_SCHEDULE: '50ms,50ms,1h…',
      ...tuned({ breakerPausesMs: [100], sourcePausesMs: [100] }),
    },
  });
});

afterAll(async () => {
  await rig.close();
  await sink?.close();
  await peers.close();
});

const sendAll = (domain: string): Promise<string[]> =>
  Promise.all(Array.from({ length: MESSAGES }, (_, number) => rig.send(`r${number}@${domain}`)));

/** The total of their attempts. */
async function deferrals(ids: readonly string[]): Promise<number> {
  const trails = await Promise.all(ids.map((id) => rig.trail(id)));
  return trails.flatMap(events).filter((event) => event === 'deferred').length;
}

it('no server listens', async () => {
  const host = peers.nobody();
  peers.serve(rig.dns, 'down.example', host);
  const ids = await sendAll('down.example');
  const [first = ''] = ids;
  const found = await insightInto(rig.appliance).explained(first, 'circuit_open');
  expect(found.summary).toContain('down.example');
  // One message at a time probes the destination. Together they use fewer attempts than one step each.
  await expect.poll(() => deferrals(ids), { timeout: 15_000, interval: 100 }).toBeGreaterThan(5);
  expect(await insightInto(rig.appliance).destination('down.example')).toMatchObject({ depth: MESSAGES });
  sink = await startSmtpSink({ keep: true, host, port: peers.port });
  for (const id of ids) await rig.reached(id, 'delivered');
  expect(sink.count()).toBe(MESSAGES);
});

it.each([
  ['at the greeting', '421 4.3.2 Service not available'],
  ['at EHLO', 'ehlo'],
])('every session is temporarily refused %s', async (_, reply) => {
  let isShut = true;
  const refusal = reply === 'ehlo' ? '220 peer ESMTP\r\n421 4.3.2 Not now' : reply;
  const domain = `busy${refusal.length}.example`;
  const busy = await peers.sink({ onConnect: () => (isShut ? refusal : null) });
  peers.serve(rig.dns, domain, busy);
  const ids = await sendAll(domain);
  await expect.poll(() => deferrals(ids), { timeout: 15_000, interval: 100 }).toBeGreaterThan(5);
  const tried = await Promise.all(ids.map((id) => insightInto(rig.appliance).attempts(id)));
  // The probing message waited no longer than the first step.
  for (const { at, next_attempt_at, outcome } of tried.flat()) {
    expect(outcome).toBe('deferred');
    expect(Date.parse(next_attempt_at ?? '') - Date.parse(at)).toBeLessThanOrEqual(61);
  }
  // Not all of them: thirty messages in each round would make hundreds.
  expect(tried.flat().length).toBeLessThan(2 * MESSAGES);
  isShut = false;
  for (const id of ids) await rig.reached(id, 'delivered');
  expect(busy.count()).toBe(MESSAGES);
});
