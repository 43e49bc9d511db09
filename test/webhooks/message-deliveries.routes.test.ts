// Tests the webhook deliveries of one message through the API.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newDelivery } from '../../src/webhooks/deliveries/delivery-content.js';
import { startFullApi, type FullApiRig } from '../support/program.js';
import { bearer, createAsk, type Ask } from '../support/isolation-world.js';
import { webhookDeliveries } from '../../src/webhooks/webhooks.tables.js';
import { insert } from '../../src/database/rows.js';

let rig: FullApiRig;
let ask: Ask;

beforeAll(async () => {
  rig = await startFullApi();
  ask = createAsk(rig);
});
afterAll(() => rig.close());

const live = () => bearer('live', rig.liveKey);

async function make(path: string, body: object, caller = live()): Promise<string> {
  const { status, text, json } = await ask(caller, { method: 'POST', url: path, body });
  expect([status < 300, text]).toEqual([true, text]);
  return (json as { id: string }).id;
}

async function tell(endpointId: string, subjectId: string, mode: 'live' | 'test' = 'live'): Promise<string> {
  const { environmentId } = await rig.store.accounts.environmentOf(rig.workspaceId, mode);
  const row = newDelivery({
    ...{ endpointId, environmentId, position: null, event: 'message.delivered', subjectId },
    ...{ payload: JSON.stringify({ event: 'message.delivered', data: { id: subjectId } }), now: rig.clock() },
  });
  await rig.store.commit([insert(webhookDeliveries, { row })]);
  return row.public_id;
}

it('lists those of every endpoint, newest first, in pages, and of no other message', async () => {
  const mail = { from: 'me@shop.example', to: 'ann@example.com', subject: 'Hi', text: 'Hi' };
  const tenantId = await make('/v1/sub-tenants', { name: 'Acme', sending_domain: 'acme.example' });
  const message = await make('/v1/messages', mail, bearer('test', rig.testKey));
  const other = await make('/v1/messages', mail, bearer('test', rig.testKey));
  const testCaller = bearer('test', rig.testKey);
  const first = await make('/v1/webhook-endpoints', { url: 'https://one.example/' }, testCaller);
  const second = await make('/v1/webhook-endpoints', { url: 'https://two.example/' }, testCaller);
  const told = [
    await tell(first, message, 'test'),
    await tell(second, message, 'test'),
    await tell(first, message, 'test'),
  ];
  await tell(first, other, 'test');
  const url = `/v1/messages/${message}/deliveries`;
  const one = await ask(testCaller, { method: 'GET', url: `${url}?limit=2` });
  expect(one.json.data.map((row: { id: string }) => row.id)).toEqual([told[2], told[1]]);
  expect(one.json.data[0]).toMatchObject({ endpoint_id: first, status: 'pending', attempts: [] });
  const next = await ask(testCaller, { method: 'GET', url: `${url}?limit=2&cursor=${one.json.next_cursor}` });
  expect(next.json).toMatchObject({ data: [{ id: told[0] }], has_more: false, next_cursor: null });
  // Live does not know the message, nor does a request for one sub-tenant.
  expect((await ask(live(), { method: 'GET', url })).status).toBe(404);
  const pinned = bearer('pinned', rig.testKey, { 'x-sub-tenant-id': tenantId });
  expect((await ask(pinned, { method: 'GET', url })).status).toBe(404);
});

it('shows a sub-tenant only the deliveries to its own endpoints', async () => {
  const tenantId = await make('/v1/sub-tenants', { name: 'Best', sending_domain: 'best.example' });
  const pinned = bearer('pinned', rig.testKey, { 'x-sub-tenant-id': tenantId });
  const mail = { from: 'me@best.example', to: 'ann@example.com', subject: 'Hi', text: 'Hi' };
  const message = await make('/v1/messages', mail, pinned);
  const url = `/v1/messages/${message}/deliveries`;
  const workspaces = await make(
    '/v1/webhook-endpoints',
    { url: 'https://three.example/' },
    bearer('test', rig.testKey),
  );
  await tell(workspaces, message, 'test');
  expect((await ask(pinned, { method: 'GET', url })).json.data).toEqual([]);
  const own = await make('/v1/webhook-endpoints', { url: 'https://four.example/' }, pinned);
  const id = await tell(own, message, 'test');
  expect((await ask(pinned, { method: 'GET', url })).json.data).toMatchObject([{ id, endpoint_id: own }]);
});
