// Tests that domains without DNS are checked a second time before their addresses are suppressed.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createResolver, type DnsResolver } from '../../src/lib/dns/index.js';
import { createStore, type Store } from '../../src/app/store.js';
import { domainCondition, recheckDomains } from '../../src/outbound/outcome/dead-domains.js';
import { accept, newWorld, NOW, type World } from '../database/contract/builders.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { fixedClock, type FixedClock } from '../support/fixed-clock.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';
import { addressRechecks } from '../../src/outbound/outbound.tables.js';
import { insert } from '../../src/database/rows.js';
import { putContact } from '../../src/contacts/contact-changes.store.js';

const HOUR = 3_600_000;
const POLICY = {
  allowPrivate: true,
  ownAddresses: [],
  connectPort: 25,
  listenerPort: null,
  families: [4] as const,
};

let folder: ReturnType<typeof temporaryFolder>;
let opened: OpenEngine;
let store: Store;
let world: World;
let dns: TestDnsServer;
let resolver: DnsResolver;
let clock: FixedClock;
let sweep: { run(): Promise<void> };
let rung: number;

beforeEach(async () => {
  folder = temporaryFolder();
  opened = await openMigratedFile(join(folder.path, 'mail.db'));
  store = createStore(opened.engine, { maxGroup: 50 });
  world = await newWorld(store);
  dns = await startDnsServer({
    zones: {
      'null.test': { MX: [{ preference: 0, exchange: '.' }] },
      'back.test': { MX: [{ preference: 10, exchange: 'mx.back.test' }] },
      'mx.back.test': { A: ['127.0.0.9'] },
    },
  });
  clock = fixedClock(NOW);
  resolver = createResolver({ servers: [dns.address], timeoutMs: 200, tries: 1, clock: clock.now });
  rung = 0;
  const wakeUps = { events: () => void (rung += 1) };
  sweep = { run: () => recheckDomains({ store, resolver, wakeUps, clock: clock.now }, POLICY) };
});

afterEach(async () => {
  resolver.close();
  await dns.close();
  await store.close();
  await opened.close();
  folder.remove();
});

/** A message that bounced because of its domain, with a recheck in four hours. */
async function bounced(to: string, scope = world.live): Promise<number> {
  const domain = to.slice(to.indexOf('@') + 1);
  const [id = 0] = await accept(store, scope, [{ to, domain, queued: false }]);
  const row = { message_id: id, environment_id: scope.environmentId, domain, due_at: NOW + 4 * HOUR };
  await store.commit([insert(addressRechecks, { conflict: 'ignore', row })]);
  return id;
}

const left = () => opened.raw('SELECT message_id, due_at FROM address_rechecks ORDER BY message_id');
const suppressions = async () =>
  (await opened.raw('SELECT email_key FROM suppressions ORDER BY email_key')).map((row) => row['email_key']);
const trail = async (id: number) => (await store.events.auditTrailOfMessage(id)).map(({ event }) => event);

it('does nothing before the time', async () => {
  await bounced('ann@gone.test');
  clock.advance(4 * HOUR - 1);
  await sweep.run();
  expect(dns.queries).toEqual([]);
  expect(await left()).toHaveLength(1);
});

it('suppresses addresses of domains that are still dead, and drops those that returned', async () => {
  const gone = await bounced('Ann@gone.test');
  const refuses = await bounced('bob@null.test');
  const back = await bounced('cid@back.test');
  clock.advance(4 * HOUR);
  await sweep.run();
  expect(await suppressions()).toEqual(['ann@gone.test', 'bob@null.test']);
  expect(await trail(gone)).toEqual(['queued', 'suppressed']);
  expect(await trail(refuses)).toEqual(['queued', 'suppressed']);
  expect(await trail(back)).toEqual(['queued']);
  expect(await left()).toEqual([]);
  expect(rung).toBe(1);
});

it('ends when it is stopped, and leaves the domains due', async () => {
  await bounced('ann@gone.test');
  clock.advance(4 * HOUR);
  const before = await left();
  const stopping = new AbortController();
  const wakeUps = { events: () => undefined };
  const run = recheckDomains({ store, resolver, wakeUps, clock: clock.now }, POLICY, stopping.signal);
  stopping.abort();
  await run;
  expect(await left()).toEqual(before);
  expect(await suppressions()).toEqual([]);
});

it('marks the contact of live mail as bounced', async () => {
  const row = {
    ...{
      id: 'cnt_1',
      environment_id: world.live.environmentId,
      sub_tenant_id: null,
      email: 'ann@gone.test',
      email_key: 'ann@gone.test',
    },
    ...{
      name: null,
      phone: null,
      tags: '[]',
      metadata: '{}',
      status: 'active' as const,
      created_at: 0,
      updated_at: 0,
    },
  };
  await store.commit([putContact({ row, ifKnown: { code: 'conflict' } })]);
  await bounced('ann@gone.test');
  clock.advance(4 * HOUR);
  await sweep.run();
  expect(await opened.raw("SELECT status FROM contacts WHERE id = 'cnt_1'")).toEqual([{ status: 'bounced' }]);
});

it('looks up each domain once, and suppresses each address once', async () => {
  const first = await bounced('ann@gone.test');
  const second = await bounced('ann@gone.test');
  await bounced('bob@gone.test');
  clock.advance(4 * HOUR);
  await sweep.run();
  expect(dns.queries.filter(({ name }) => name === 'gone.test')).toHaveLength(1);
  expect([await trail(first), await trail(second)]).toEqual([['queued', 'suppressed'], ['queued']]);
  expect(await suppressions()).toEqual(['ann@gone.test', 'bob@gone.test']);
  // A message of the next day finds the address already suppressed.
  const third = await bounced('ann@gone.test');
  clock.advance(24 * HOUR);
  await sweep.run();
  expect(await trail(third)).toEqual(['queued']);
});

it('queries DNS without its cache', async () => {
  await resolver.mx('gone.test');
  await bounced('ann@gone.test');
  dns.set('gone.test', 'A', ['127.0.0.9']);
  clock.advance(4 * HOUR);
  await sweep.run();
  expect(await suppressions()).toEqual([]);
  expect(await left()).toEqual([]);
});

it('waits while DNS does not respond, and gives up after a week', async () => {
  const id = await bounced('ann@sick.test');
  dns.fault('sick.test', 'servfail');
  clock.advance(4 * HOUR);
  await sweep.run();
  expect(await left()).toEqual([{ message_id: id, due_at: NOW + 5 * HOUR }]);
  clock.advance(7 * 24 * HOUR);
  await sweep.run();
  expect(await left()).toEqual([]);
  expect(await suppressions()).toEqual([]);
});

it('handles more than one batch in a run', async () => {
  await Promise.all(Array.from({ length: 620 }, (_, i) => bounced(`r${i}@d${i % 3}.test`)));
  clock.advance(4 * HOUR);
  await sweep.run();
  expect(await left()).toEqual([]);
  expect(await suppressions()).toHaveLength(620);
  expect(dns.queries).toHaveLength(3);
});

it.each([
  [{ kind: 'route' }, 'alive'],
  [{ kind: 'temporary', category: 'network' }, 'unclear'],
  [{ kind: 'permanent', category: 'bad_domain' }, 'dead'],
  [{ kind: 'permanent', category: 'network' }, 'alive'],
] as const)('classifies %j as %s', (route, verdict) => {
  expect(domainCondition(route)).toBe(verdict);
});
