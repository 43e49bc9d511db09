import { afterEach, beforeEach, expect, test } from 'vitest';
import { Refusal } from '../../src/contract/refusal.js';
import { subTenantDkimRoutes } from '../../src/domains/sub-tenants/dkim.routes.js';
import type { Scope } from '../../src/database/scope.js';
import { makeDkimKeys } from '../../src/domains/keys/dkim-keys.js';
import { Rotations } from '../../src/domains/keys/rotation.js';
import { LIFECYCLE } from '../support/dkim-keys.js';
import { fixedClock } from '../support/fixed-clock.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { dkimKeys } from '../../src/domains/domains.tables.js';
import { update } from '../../src/database/rows.js';
import { subTenants } from '../../src/tenants/tenants.tables.js';

const MASTER_KEY = Buffer.alloc(32, 3);
const clock = fixedClock();
let api: StartedApi;
let tenantId: string;
let zone: string | null = null;
let forgotten: number;
let rung: number;

beforeEach(async () => {
  [forgotten, rung] = [0, 0];
  zone = null;
  api = await startApi({
    clock: clock.now,
    routes: (store) => [
      (app) =>
        subTenantDkimRoutes(
          app,
          {
            store,
            settings: {
              hostname: 'ph.example',
              dnsZone: 'send.example',
              reputationWindowMs: 7 * 86_400_000,
              publicUrl: 'https://mail.example.test',
            },
          },
          {
            subTenants: {
              async read(scope: Scope, id: string) {
                const tenant = await store.tenants.subTenant(scope, id);
                if (!tenant) throw new Refusal('not_found');
                return tenant;
              },
            },
            rotations: new Rotations({
              store,
              masterKey: MASTER_KEY,
              clock: clock.now,
              lifecycle: LIFECYCLE,
              get zone() {
                return zone;
              },
              wakeUps: { events: () => void (rung += 1) },
              forgetKeys: () => void (forgotten += 1),
            }),
          },
        ),
    ],
  });
  tenantId = await api.addTenant('acme');
  const keys = await makeDkimKeys({
    ...{ ownerId: tenantId, domain: 'acme.example', masterKey: MASTER_KEY, now: clock.now() },
  });
  await api.store.commit([
    ...keys.changes,
    update(dkimKeys, {
      set: { state: 'active', published_at: clock.now(), activated_at: clock.now() },
      where: { owner_id: tenantId },
    }),
  ]);
  clock.advance(1000);
});

afterEach(() => api.close());

const rotate = (body?: object, key?: string) =>
  api.ask('POST', `/v1/sub-tenants/${tenantId}/rotate-dkim`, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });

interface Wire {
  dkim: unknown;
  dns_records: { purpose: string; type: string; required: boolean }[];
}

const dkimRecordsOf = (json: unknown) =>
  (json as Wire).dns_records
    .filter(({ purpose }) => purpose === 'dkim')
    .map(({ type, required }) => `${type}${required ? ' required' : ''}`);

test('returns the new records with the old ones, which remain valid', async () => {
  const [before] = await api.store.domains.dkimKeys([tenantId]);
  const { status, json } = await rotate();
  expect(status).toBe(200);
  const keys = await api.store.domains.dkimKeys([tenantId]);
  const old = keys.find(({ algorithm, state }) => algorithm === 'rsa-sha256' && state === 'active');
  const next = keys.find(({ algorithm, state }) => algorithm === 'rsa-sha256' && state === 'pending');
  expect((json as Wire).dkim).toEqual({
    selector: old?.selector,
    algorithm: 'rsa-sha256',
    mode: 'txt',
    rotation: {
      state: 'pending',
      started_at: new Date(clock.now()).toISOString(),
      selector: next?.selector,
      waiting_for: 'dns_record',
    },
  });
  expect(before).toBeDefined();
  expect(dkimRecordsOf(json)).toEqual(['TXT required', 'TXT', 'TXT', 'TXT']);
  const scope = await api.scopeOf('live');
  const trail = await api.store.events.auditTrailOfSubject(scope, tenantId, 10);
  expect(
    trail.map(({ event, actor, detail }) => ({
      event,
      actor,
      detail: JSON.parse(detail ?? '{}') as unknown,
    })),
  ).toEqual([
    {
      event: 'dkim_rotation_started',
      actor: 'api',
      detail: {
        metadata: { selector: next?.selector, algorithm: 'rsa-sha256', mode: 'txt', emergency: false },
      },
    },
  ]);
  expect([forgotten, rung]).toEqual([1, 1]);
  const { next_check_at } = (await api.store.tenants.subTenant(scope, tenantId)) ?? {};
  expect(next_check_at).toBe(clock.now());
});

test('refuses a second rotation during the first one, unless it is an emergency', async () => {
  await rotate();
  const second = await rotate();
  expect([second.status, second.json]).toMatchObject([409, { error: { code: 'conflict' } }]);
  const emergency = await rotate({ emergency: true });
  expect(emergency.status).toBe(200);
  const keys = await api.store.domains.dkimKeys([tenantId]);
  expect(keys.map(({ state }) => state).sort()).toEqual(['pending', 'pending', 'retiring', 'retiring']);
});

test('requires a zone for aliases', async () => {
  const without = await rotate({ mode: 'cname' });
  expect([without.status, without.json]).toMatchObject([422, { error: { code: 'validation_error' } }]);
  zone = 'send.example';
  const { status, json } = await rotate({ mode: 'cname' });
  expect(status).toBe(200);
  expect((json as Wire).dkim).toMatchObject({ mode: 'cname', rotation: { selector: 'svc1' } });
  expect(dkimRecordsOf(json)).toEqual(['TXT required', 'CNAME', 'CNAME', 'TXT', 'CNAME', 'CNAME']);
});

test("does not change the mode below Mailkeel's zone", async () => {
  zone = 'send.example';
  const where = { id: tenantId };
  await api.store.commit([update(subTenants, { set: { dkim_mode: 'zone' }, where })]);
  expect((await rotate({ mode: 'txt' })).status).toBe(409);
  const { status, json } = await rotate();
  expect(status).toBe(200);
  expect((json as Wire).dkim).toMatchObject({ mode: 'zone', rotation: { selector: 'svc1' } });
});

test.each<[string, object]>([
  ['a mode that is none', { mode: 'zone' }],
  ['an unknown field', { selector: 'mine' }],
  ['an emergency that is no truth', { emergency: 'yes' }],
])('refuses %s', async (_name, body) => {
  expect((await rotate(body)).status).toBe(422);
  expect(await api.store.domains.dkimKeys([tenantId])).toHaveLength(2);
});

test('requires a live key of the whole workspace with all permissions', async () => {
  const pinned = await api.addKey({ subTenantId: tenantId });
  const send = await api.addKey({ permission: 'send' });
  expect((await rotate({}, api.testKey)).status).toBe(403);
  expect((await rotate({}, pinned)).status).toBe(403);
  expect((await rotate({}, send)).status).toBe(403);
  const other = await api.addKey({ subTenantId: await api.addTenant('other') });
  const foreign = await rotate({}, other);
  const unknown = await api.ask('POST', `/v1/sub-tenants/tnt_${'0'.repeat(26)}/rotate-dkim`, { body: {} });
  expect([foreign.status, unknown.status]).toEqual([404, 404]);
  expect(await api.store.domains.dkimKeys([tenantId])).toHaveLength(2);
});
