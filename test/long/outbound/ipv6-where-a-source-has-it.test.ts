// Tests that IPv6 is only used from a source that has it, and that a host which does not respond over IPv6 is reached over IPv4.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.js';
import { insightInto } from '../../support/insight.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { isFullSize } from '../../support/run-size.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

const FOUR = { name: 'four', address4: '127.0.0.2', ehlo: 'four.mta.example' };
const BOTH = { name: 'both', address4: '127.0.0.3', address6: '::1', prefer: 6, ehlo: 'both.mta.example' };
const SIX = { name: 'six', address6: '::1', ehlo: 'six.mta.example' };

const sinks: SmtpSink[] = [];
let port: number;
let rig: MailRig;

beforeEach(async () => {
  sinks.length = 0;
  port = await freePort();
});
afterEach(async () => {
  await rig.close();
  for (const sink of sinks) await sink.close();
});

async function listen(host: string): Promise<SmtpSink> {
  const sink = await startSmtpSink({ keep: true, host, port });
  sinks.push(sink);
  return sink;
}

async function start(outbound: object): Promise<void> {
  rig = await startMailRig({
    process: 'shared',
    mxPort: port,
    env: { MAILKEEL_OUTBOUND: JSON.stringify(outbound) },
  });
  rig.dns.set('mx.receiver.example', 'AAAA', ['::1']);
}

const deliver = async (name: string) => rig.reached(await rig.send(name), 'delivered');

it('a source that prefers IPv6 uses it, and one without never requests it', async () => {
  const [v4, v6] = [await listen('127.0.0.1'), await listen('::1')];
  await start({
    sources: [FOUR, BOTH],
    pools: { default: ['four'], six: ['both'] },
    routes: [{ domain: 'six.example', via: ['pool:six'] }],
  });
  rig.dns.set('six.example', 'MX', [{ preference: 10, exchange: 'mx.receiver.example' }]);
  await deliver('anna');
  await deliver('ann@six.example');
  await deliver('bert');
  expect(v4.messages.map(({ from, ehlo }) => [from, ehlo])).toEqual([
    ['127.0.0.2', 'four.mta.example'],
    ['127.0.0.2', 'four.mta.example'],
  ]);
  expect(v6.messages.map(({ from, ehlo }) => [from, ehlo])).toEqual([['::1', 'both.mta.example']]);
});

it('without an answer over IPv6 the same attempt continues over IPv4', async () => {
  const v4 = await listen('127.0.0.1');
  await start({ sources: [BOTH] });
  const id = await rig.send('anna');
  await rig.reached(id, 'delivered');
  expect(v4.messages.map(({ from }) => from)).toEqual(['127.0.0.3']);
  const attempts = await insightInto(rig.appliance).attempts(id);
  expect(attempts.map(({ outcome, address }) => [outcome, address])).toEqual([['delivered', '127.0.0.1']]);
});

it.runIf(isFullSize)(
  'a source with only IPv6 gets no mail for hosts without it, and is used for others',
  async () => {
    const [v4, v6] = [await listen('127.0.0.1'), await listen('::1')];
    await start({ sources: [FOUR, SIX], pools: { default: ['four', { source: 'six', weight: 4 }] } });
    rig.dns.set('old.example', 'MX', [{ preference: 10, exchange: 'mx.old.example' }]);
    rig.dns.set('mx.old.example', 'A', ['127.0.0.1']);
    for (let number = 0; number < 6; number += 1) await deliver(`old${number}@old.example`);
    expect([v4.count(), v6.count()]).toEqual([6, 0]);
    for (let number = 0; number < 12; number += 1) await deliver(`new${number}`);
    // By weight every time, regardless of an earlier choice of the other source.
    expect(v6.count()).toBeGreaterThanOrEqual(4);
  },
);

it.runIf(isFullSize)('a source with IPv6 replaces a blocked one with IPv4', async () => {
  const [v4, v6] = [await listen('127.0.0.1'), await listen('::1')];
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const fresh = { ...FOUR, warm_up: { started_on: yesterday, plan: [1, 1, 1, 1] } };
  await start({ sources: [fresh, SIX], pools: { default: [{ source: 'four', weight: 1000 }, 'six'] } });
  for (const name of ['anna', 'bert', 'carl', 'dora']) await deliver(name);
  expect([v4.count(), v6.count()]).toEqual([1, 3]);
});

it.runIf(isFullSize)('mail for an IPv6-only host waits if no source has it, with advice', async () => {
  await start({ sources: [FOUR] });
  rig.dns.set('mx.six.example', 'AAAA', ['::1']);
  rig.dns.set('six.example', 'MX', [{ preference: 10, exchange: 'mx.six.example' }]);
  const id = await rig.send('ann@six.example');
  const trail = await rig.logged(id, 'deferred');
  expect(trail.at(-1)?.metadata).toMatchObject({
    category: 'network',
    enhanced_code: '4.4.4',
    reply: expect.stringContaining('mx.six.example has no IPv4 address') as string,
  });
  const found = await insightInto(rig.appliance).explained(id, 'deferred_other_address_family');
  expect(found.advice.map(({ code }) => code)).toContain('add_address_family');
  const { json } = await rig.appliance.api('GET', '/v1/suppressions');
  expect((json as { data: unknown[] }).data).toEqual([]);
});
