// Tests pausing, resuming and retrying a destination, and retrying one message, on a running program: effect, duration and
// permissions.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { addTenant, events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { ENDING, isFullSize } from '../../support/run-size.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

const HERE = '/v1/queue/destinations/receiver.example';
let sink: SmtpSink;
let rig: MailRig;
let refusal: string | null;

beforeEach(async () => {
  refusal = null;
  sink = await startSmtpSink({ keep: true, onRcpt: () => refusal });
});
afterEach(async () => {
  await rig.close();
  await sink.close();
});

async function start(process: 'own' | 'shared' = 'shared'): Promise<void> {
  rig = await startMailRig({ process, mxPort: sink.port, env: { MAILKEEL_RETRY_SCHEDULE: '1h…' } });
}

const post = (path: string, body?: object, key?: string) =>
  rig.appliance.api('POST', path, { ...(body ? { body } : {}), ...(key === undefined ? {} : { key }) });

async function pinnedKey(tenantId: string): Promise<string> {
  const made = await post('/v1/api-keys', { name: 'pinned', permission: 'full', sub_tenant_id: tenantId });
  expect(made.status).toBe(201);
  return (made.json as { secret: string }).secret;
}

it('a paused destination keeps its mail across a restart without affecting others, and resume sends it', async () => {
  await start(ENDING.process);
  const insight = insightInto(rig.appliance);
  expect((await post(`${HERE}/pause`, { reason: 'they are moving' })).json).toMatchObject({
    state: 'paused',
  });
  const ids = [await rig.send('anna'), await rig.send('bert')];
  rig.dns.set('elsewhere.example', 'MX', [{ preference: 10, exchange: 'mx.receiver.example' }]);
  await rig.reached(await rig.send('ann@elsewhere.example'), 'delivered');
  await insight.explained(ids[0] ?? '', 'destination_paused');
  await rig.appliance.end(ENDING.signal);
  await rig.appliance.startHere();
  await rig.reached(await rig.send('bob@elsewhere.example'), 'delivered');
  expect(await insight.destination('receiver.example')).toMatchObject({
    depth: 2,
    state: 'paused',
    reason: { code: 'destination_paused', text: expect.stringContaining('they are moving') as string },
  });
  for (const id of ids) expect(events(await rig.trail(id))).toEqual(['queued']);
  // Retrying does not break a pause.
  await post(`${HERE}/retry`);
  await post(`/v1/messages/${ids[0]}/retry`);
  await insight.explained(ids[0] ?? '', 'destination_paused');
  expect((await post(`${HERE}/resume`)).status).toBe(200);
  for (const id of ids) await rig.reached(id, 'delivered');
});

it('retry sends deferred mail immediately, for one message or a destination', async () => {
  await start();
  refusal = '451 4.3.0 Come again';
  const ids = [await rig.send('anna'), await rig.send('bert'), await rig.send('carl')];
  for (const id of ids) await rig.logged(id, 'deferred');
  refusal = null;
  const [first = '', ...rest] = ids;
  expect((await post(`/v1/messages/${first}/retry`)).status).toBe(200);
  await rig.reached(first, 'delivered');
  expect((await post(`/v1/messages/${first}/retry`)).status).toBe(409);
  expect(events(await rig.trail(first))).toContain('rescheduled');
  for (const id of rest) expect(await rig.message(id)).toMatchObject({ status: 'sent' });
  expect((await post(`${HERE}/retry`)).json).toMatchObject({ retried: 2 });
  for (const id of rest) await rig.reached(id, 'delivered');
});

it("a sub-tenant's key reaches only its own mail", async () => {
  await start();
  const other = await addTenant(rig.appliance, rig.dns, 'other.example');
  const key = await pinnedKey(other);
  const fromOther = { sub_tenant_id: other, from: { email: 'hello@other.example' } };
  expect((await post(`${HERE}/pause`, {}, key)).status).toBe(200);
  const theirs = await rig.send('theirs', fromOther);
  const ours = await rig.send('ours');
  await rig.reached(ours, 'delivered');
  await insightInto(rig.appliance).explained(theirs, 'destination_paused_by_sub_tenant');

  refusal = '451 4.3.0 Come again';
  const deferred = await rig.send('deferred');
  await rig.logged(deferred, 'deferred');
  refusal = null;
  expect((await post(`/v1/messages/${deferred}/retry`, undefined, key)).status).toBe(404);
  expect((await post(`${HERE}/retry`, undefined, key)).json).toMatchObject({ retried: 0 });
  const seen = await rig.appliance.api('GET', '/v1/queue/destinations', { key });
  expect((seen.json as { data: unknown[] }).data).toMatchObject([{ domain: 'receiver.example', depth: 1 }]);
  expect((await rig.appliance.api('DELETE', '/v1/queue/overrides/ovr_none', { key })).status).toBe(403);

  // A pause of the whole workspace is not theirs to end.
  await post(`${HERE}/pause`, {});
  const resumed = await post(`${HERE}/resume`, undefined, key);
  expect(resumed.status).toBe(409);
  expect(await insightInto(rig.appliance).explained(theirs, 'destination_paused')).toBeTruthy();
  await post(`${HERE}/resume`);
  await rig.reached(theirs, 'delivered');
});

it.runIf(isFullSize)(
  'the sandbox is paused separately, and a test key does not affect live mail',
  async () => {
    await start();
    const key = rig.appliance.keys.test_key;
    expect((await post(`${HERE}/pause`, {}, key)).status).toBe(200);
    await rig.reached(await rig.send('anna'), 'delivered');
    refusal = '451 4.3.0 Come again';
    const id = await rig.send('bert');
    await rig.logged(id, 'deferred');
    expect((await post(`/v1/messages/${id}/retry`, undefined, key)).status).toBe(404);
    expect((await post(`${HERE}/retry`, undefined, key)).json).toMatchObject({ retried: 0 });
    expect((await rig.appliance.api('DELETE', '/v1/queue/overrides/ovr_none', { key })).status).toBe(403);
    expect((await rig.appliance.api('DELETE', '/v1/queue/overrides/ovr_none')).status).toBe(404);
    expect((await post('/v1/queue/destinations/not a domain/pause', {})).status).toBe(422);
  },
);
