// Tests the operator's changes to the egress, a suspended source and mail that is rerouted, while mail waits and through a
// restart.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { receives, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

const SOURCES = [
  { name: 'a', address4: '127.0.0.2', ehlo: 'a.mta.example' },
  { name: 'b', address4: '127.0.0.3', ehlo: 'b.mta.example' },
];

let direct: SmtpSink;
let relay: SmtpSink;
let dataDir: string;
let rig: MailRig;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mailkeel-egress-'));
  direct = await startSmtpSink({ keep: true });
  relay = await startSmtpSink({ keep: true });
  const outbound = {
    sources: SOURCES,
    pools: { default: ['a', 'b'], single: ['b'] },
    smarthosts: [{ name: 'relay', url: `smtp://relay.example:${relay.port}` }],
  };
  rig = await startMailRig({
    process: 'shared',
    mxPort: direct.port,
    dataDir,
    env: { MAILKEEL_OUTBOUND: JSON.stringify(outbound) },
  });
  rig.dns.set('relay.example', 'A', ['127.0.0.1']);
});
afterEach(async () => {
  await rig.close();
  await direct.close();
  await relay.close();
  await rm(dataDir, { recursive: true, force: true });
});

const api = async (method: string, path: string, body?: object) => {
  const answer = await rig.appliance.api(method, path, body === undefined ? {} : { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as Record<string, unknown>;
};
const ehloOf = (mailbox: string) =>
  direct.messages.find(({ rcptTo }) => rcptTo[0]?.startsWith(`${mailbox}@`))?.ehlo;

it('mail uses the other sources, waits without one, and is sent when one is resumed', async () => {
  await api('POST', '/v1/sources/a/suspend', { reason: 'on a block list' });
  for (const mailbox of ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'])
    await rig.reached(await rig.send(mailbox), 'delivered');
  expect(new Set(direct.messages.map(({ ehlo }) => ehlo))).toEqual(new Set(['b.mta.example']));

  await api('POST', '/v1/sources/b/suspend', { reason: 'as well' });
  const waiting = await rig.send('waits');
  const found = await insightInto(rig.appliance).explained(waiting, 'source_suspended');
  expect(JSON.stringify(found)).not.toContain('as well');

  await rig.appliance.end();
  await rig.appliance.start();
  const { data } = await api('GET', '/v1/sources');
  expect(data).toMatchObject([
    { name: 'a', state: 'suspended', suspended: { reason: 'on a block list', until: null } },
    { name: 'b', state: 'suspended' },
    { name: 'relay', state: 'open' },
  ]);
  await insightInto(rig.appliance).explained(await rig.send('later'), 'source_suspended');
  expect(direct.messages).toHaveLength(6);

  await api('POST', '/v1/sources/a/resume');
  await rig.reached(waiting, 'delivered');
  expect(ehloOf('waits')).toBe('a.mta.example');
});

it('a suspension ends automatically', async () => {
  await api('POST', '/v1/sources/b/suspend', { reason: 'for good' });
  const soon = new Date(Date.now() + 1_500).toISOString();
  await api('POST', '/v1/sources/a/suspend', { reason: 'a moment', expires_at: soon });
  const id = await rig.send('waits');
  await rig.reached(id, 'delivered');
  expect(ehloOf('waits')).toBe('a.mta.example');
  const { data } = await api('GET', '/v1/sources');
  expect(data).toMatchObject([{ state: 'open', suspended: null }, { state: 'suspended' }, {}]);
});

it('waiting mail uses a new route immediately, as counted before, and after a restart', async () => {
  receives(rig.dns, 'other.example');
  for (const name of ['a', 'b']) await api('POST', `/v1/sources/${name}/suspend`, { reason: 'moving' });
  const ids = [await rig.send('one'), await rig.send('two')];
  const other = await rig.send('ann@other.example');
  await insightInto(rig.appliance).explained(other, 'source_suspended');

  const wish = { domains: ['receiver.example'], via: ['smarthost:relay'], reason: 'moving' };
  const counted = await api('POST', '/v1/routes', { ...wish, dry_run: true });
  expect(counted).toEqual({
    object: 'route_change',
    dry_run: true,
    route: null,
    matched: 2,
    destinations: [{ domain: 'receiver.example', messages: 2 }],
    complete: true,
  });
  expect((await api('GET', '/v1/routes'))['data']).toEqual([]);
  expect(relay.messages).toHaveLength(0);

  const made = await api('POST', '/v1/routes', wish);
  expect(made).toMatchObject({ matched: 2, route: { object: 'route', state: 'active', reason: 'moving' } });
  for (const id of ids) expect(await rig.reached(id, 'sent')).toMatchObject({ provider: 'smarthost' });

  await rig.appliance.end();
  await rig.appliance.start();
  expect(await rig.reached(await rig.send('three'), 'sent')).toMatchObject({ provider: 'smarthost' });
  expect(relay.messages).toHaveLength(3);
  expect((await api('GET', '/v1/queue'))['depth']).toBe(1);

  const { id } = made['route'] as { id: string };
  await api('DELETE', `/v1/routes/${id}`);
  await insightInto(rig.appliance).explained(await rig.send('four'), 'source_suspended');

  // The newest counts.
  await api('POST', '/v1/routes', { all: true, via: ['pool:default'], reason: 'older' });
  await api('POST', '/v1/routes', { all: true, via: ['smarthost:relay'], reason: 'newer' });
  expect(await rig.reached(other, 'sent')).toMatchObject({ provider: 'smarthost' });
});

it('a route with a removed name is skipped, and shown as broken', async () => {
  await api('POST', '/v1/routes', { all: true, via: ['smarthost:relay'], reason: 'for now' });
  await rig.appliance.end();
  await rig.appliance.start({
    MAILKEEL_OUTBOUND: JSON.stringify({ sources: SOURCES, pools: { default: ['b'] } }),
  });
  const { data } = await api('GET', '/v1/routes');
  expect(data).toMatchObject([
    { state: 'broken', problem: 'route: the route.via[0] refers to an unknown smarthost: "relay"' },
  ]);
  await rig.reached(await rig.send('goes'), 'delivered');
  expect(ehloOf('goes')).toBe('b.mta.example');
});
