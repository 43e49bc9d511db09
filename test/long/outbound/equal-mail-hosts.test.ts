// Tests that mail hosts of equal preference share the load, and that a busy one does not defer mail.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { openPeers, type PeersByAddress } from '../../support/peers-by-address.js';
import type { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

let peers: PeersByAddress;
let rig: MailRig;

beforeAll(async () => {
  peers = await openPeers();
  rig = await startMailRig({
    process: 'shared',
    mxPort: peers.port,
    env: tuned({ messagesPerConnection: 5, breakerPausesMs: [3_600_000] }),
  });
});

afterAll(async () => {
  await rig.close();
  await peers.close();
});

const sinks = (count: number): Promise<SmtpSink[]> =>
  Promise.all(Array.from({ length: count }, () => peers.sink()));
const total = (hosts: readonly SmtpSink[]): number => hosts.reduce((sum, host) => sum + host.count(), 0);
const sendAll = (count: number, domain: string): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => rig.send(`r${number}@${domain}`)));

it('four hosts of equal preference each get a share', async () => {
  const hosts = await sinks(4);
  peers.serve(rig.dns, 'even.example', ...hosts);
  rig.dns.set(
    'even.example',
    'MX',
    hosts.map((_, index) => ({ preference: 10, exchange: `mx${index + 1}.even.example` })),
  );
  await sendAll(200, 'even.example');
  await waitFor('all to arrive', () => total(hosts) === 200, Boolean, 30_000);
  // In 40 sessions, the chance that one host gets none is one in twenty thousand runs.
  for (const host of hosts) expect(host.count()).toBeGreaterThanOrEqual(5);
});

it('the addresses of a host do too', async () => {
  const hosts = await sinks(3);
  peers.serve(rig.dns, 'wide.example', ...hosts.slice(0, 1));
  rig.dns.set(
    'mx1.wide.example',
    'A',
    hosts.map(({ host }) => host),
  );
  await sendAll(150, 'wide.example');
  await waitFor('all to arrive', () => total(hosts) === 150, Boolean, 30_000);
  for (const host of hosts) expect(host.count()).toBeGreaterThanOrEqual(5);
});

it('a busy host defers nothing, and a worse one is not used while an equal one accepts mail', async () => {
  const [good, worse] = await sinks(2);
  if (!good || !worse) throw new Error('no hosts');
  const busy = await peers.sink({ onConnect: () => '421 4.3.2 Busy, try later' });
  peers.serve(rig.dns, 'mixed.example', busy, good, worse);
  rig.dns.set('mixed.example', 'MX', [
    { preference: 10, exchange: 'mx1.mixed.example' },
    { preference: 10, exchange: 'mx2.mixed.example' },
    { preference: 20, exchange: 'mx3.mixed.example' },
  ]);
  const ids = await sendAll(60, 'mixed.example');
  for (const id of ids) await rig.reached(id, 'delivered');
  const trails = await Promise.all(ids.map((id) => rig.trail(id)));
  expect(trails.flatMap(events)).not.toContain('deferred');
  expect([good.count(), worse.connections()]).toEqual([60, 0]);
  expect((await insightInto(rig.appliance).overrides()).map(({ kind }) => kind)).not.toContain('suspend');
});

it('a worse host is not tried if all equal ones are busy', async () => {
  const busy = await Promise.all([1, 2].map(() => peers.sink({ onConnect: () => '421 4.3.2 Busy' })));
  const [worse] = await sinks(1);
  if (!worse) throw new Error('no host');
  peers.serve(rig.dns, 'allbusy.example', ...busy, worse);
  rig.dns.set('allbusy.example', 'MX', [
    { preference: 10, exchange: 'mx1.allbusy.example' },
    { preference: 10, exchange: 'mx2.allbusy.example' },
    { preference: 20, exchange: 'mx3.allbusy.example' },
  ]);
  const id = await rig.send('anna@allbusy.example');
  const trail = await rig.logged(id, 'deferred');
  expect(trail.at(-1)?.metadata).toMatchObject({ phase: 'greeting', code: 421 });
  expect(busy.map((host) => host.connections())).toEqual([1, 1]);
  expect(worse.connections()).toBe(0);
});
