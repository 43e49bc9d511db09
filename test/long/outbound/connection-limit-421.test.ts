// Tests a peer that refuses sessions with 421 above a number of connections: the limit settles at that number, nothing is lost,
// nothing counts against a message, and the limit can be viewed and lifted.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { openPeers, type PeersByAddress } from '../../support/peers-by-address.js';
import type { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

const MOST = 3;
const REPLY = '421 4.7.0 Too many connections from your address';

let peers: PeersByAddress;
let rig: MailRig;
let crowded: SmtpSink;
let calm: SmtpSink;
let refused = 0;
let peak = 0;

beforeAll(async () => {
  peers = await openPeers();
  crowded = await peers.sink({
    thinksMs: 5,
    onConnect(open) {
      if (open > MOST) {
        refused += 1;
        return REPLY;
      }
      peak = Math.max(peak, open);
      return null;
    },
  });
  calm = await peers.sink();
  rig = await startMailRig({
    process: 'shared',
    mxPort: peers.port,
    // Ten simultaneous connections from the start: the burst.
    env: { MAILKEEL_SHAPING: JSON.stringify({ defaults: { connections: 10 } }) },
  });
  peers.serve(rig.dns, 'crowded.example', crowded);
  peers.serve(rig.dns, 'calm.example', calm);
});

afterAll(async () => {
  await rig.close();
  await peers.close();
});

function sendAll(count: number, domain: string): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  return Promise.all(numbers.map((number) => rig.send(`r${number}@${domain}`)));
}

const adaptive = async () => {
  const list = await insightInto(rig.appliance).overrides();
  return list.filter(({ site }) => site === 'mx1.crowded.example');
};

it('the connections settle at its limit, every message arrives once, and few are deferred', async () => {
  const [ids, others] = await Promise.all([sendAll(400, 'crowded.example'), sendAll(20, 'calm.example')]);
  for (const id of others) {
    await rig.reached(id, 'delivered');
    expect(events(await rig.trail(id))).toEqual(['queued', 'sending', 'sent', 'delivered']);
  }
  await waitFor(
    'all to arrive',
    () => crowded.count(),
    (count) => count >= 400,
  );
  let putOff = 0;
  for (const id of [...ids.slice(0, 40), ...ids.slice(-40)]) {
    await rig.reached(id, 'delivered');
    if (events(await rig.trail(id)).includes('deferred')) putOff += 1;
  }
  // A busy machine may open a session before the peer has counted an ended one out.
  expect(putOff).toBeLessThanOrEqual(8);
  expect(new Set(crowded.messages.map(({ rcptTo }) => rcptTo.join())).size).toBe(400);
  expect(crowded.count()).toBe(400);
  expect(refused).toBeGreaterThan(0);
  // The first round, and sessions that began before it was known.
  expect(refused).toBeLessThanOrEqual(30);
  expect(peak).toBeLessThanOrEqual(MOST);
  expect(peak).toBeGreaterThan(1);
});

it('the limit is shown, can be removed, and is not set again without a reason', async () => {
  const [row, ...more] = await adaptive();
  expect(more).toEqual([]);
  expect(row).toMatchObject({
    object: 'queue_override',
    path: 'default > mx1.crowded.example',
    kind: 'connections',
    rule: 'adaptive',
    reply: expect.stringContaining('Too many connections') as string,
  });
  const { limit, ceiling } = (row?.value ?? {}) as { limit: number; ceiling: { limit: number } };
  expect(limit).toBeLessThanOrEqual(MOST);
  expect(ceiling.limit).toBeGreaterThanOrEqual(1);
  expect(ceiling.limit).toBeLessThanOrEqual(MOST);
  const { api } = rig.appliance;
  const removed = await api('DELETE', `/v1/queue/overrides/${row?.id}`);
  expect([200, 204]).toContain(removed.status);
  expect(await adaptive()).toEqual([]);
  expect((await api('DELETE', `/v1/queue/overrides/${row?.id}`)).status).toBe(404);
  const [id = ''] = await sendAll(1, 'crowded.example');
  await rig.reached(id, 'delivered');
  expect(await adaptive()).toEqual([]);
});

it('the limit is found again afterwards', async () => {
  const before = refused;
  const arrived = crowded.count();
  await sendAll(300, 'crowded.example');
  await waitFor(
    'all to arrive',
    () => crowded.count(),
    (count) => count === arrived + 300,
  );
  expect(refused).toBeGreaterThan(before);
  expect(await adaptive()).toHaveLength(1);
});
