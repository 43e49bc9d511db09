import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { savedBlockRoutes } from '../../src/templates/saved-blocks.routes.js';
import { fixedClock } from '../support/fixed-clock.js';
import type { ProgramRequest } from '../support/program.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const clock = fixedClock();
const FOOTER = { id: '1', type: 'footer', text: 'Fernhill, 1 High Street' };
let api: StartedApi;
let tenantKey: string;
let siblingKey: string;
let tenantId: string;

beforeAll(async () => {
  api = await startApi({
    clock: clock.now,
    routes: (store) => [(app) => savedBlockRoutes(app, { store, clock: clock.now })],
  });
  tenantId = await api.addTenant('acme');
  tenantKey = await api.addKey({ subTenantId: tenantId });
  siblingKey = await api.addKey({ subTenantId: await api.addTenant('sibling') });
});

afterAll(() => api.close());

const ask = (method: string, path = '', request: ProgramRequest = {}) =>
  api.ask(method, `/v1/saved-blocks${path}`, request);
const create = (body: object, key?: string) =>
  ask('POST', '', {
    body: { name: 'Footer', block: FOOTER, ...body },
    ...(key === undefined ? {} : { key }),
  });
const namesFor = async (key?: string, query = '') => {
  const { json } = await ask('GET', query, key === undefined ? {} : { key });
  return (json.data as { name: string }[]).map(({ name }) => name).sort();
};

describe('a saved block', () => {
  test('is created, listed, renamed and deleted', async () => {
    const { status, json } = await create({ name: 'Legal footer' });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      ...{ object: 'saved_block', name: 'Legal footer', block: FOOTER, sub_tenant_id: null },
    });
    expect(await namesFor(undefined, '?q=legal')).toEqual(['Legal footer']);
    clock.advance(1_000);
    const renamed = await ask('PATCH', `/${json.id}`, { body: { name: 'Imprint' } });
    expect(renamed.json).toMatchObject({ id: json.id, name: 'Imprint', block: FOOTER });
    expect(renamed.json.updated_at).not.toBe(json.updated_at);
    const gone = await ask('DELETE', `/${json.id}`);
    expect(gone.json).toEqual({ id: json.id, object: 'saved_block', deleted: true });
    for (const [method, request] of [
      ['DELETE', {}],
      ['PATCH', { body: { name: 'x' } }],
    ] as const) {
      expect((await ask(method, `/${json.id}`, request)).status, method).toBe(404);
    }
  });

  test('is refused without a name, with an invalid block, and above its size', async () => {
    expect((await create({ name: ' ' })).status).toBe(422);
    expect((await create({ block: 'text' })).status).toBe(422);
    expect((await create({ more: 1 })).status).toBe(422);
    const textOf = (size: number) => {
      const bare = JSON.stringify({ ...FOOTER, text: '' }).length;
      return { block: { ...FOOTER, text: 'x'.repeat(size - bare) } };
    };
    const large = await create(textOf(65_537));
    expect(large.status).toBe(422);
    expect(large.text).toContain('must not exceed 65,536 characters');
    const { json } = await create(textOf(65_536));
    expect((await ask('DELETE', `/${json.id}`)).status).toBe(200);
  });

  test('belongs to the workspace or to one sub-tenant', async () => {
    const shared = await create({ name: 'Shared' });
    const own = await create({ name: 'Own' }, tenantKey);
    const given = await create({ name: 'Given', sub_tenant_id: tenantId });
    expect(own.json.sub_tenant_id).toBe(tenantId);
    expect(await namesFor()).toEqual(['Shared']);
    expect(await namesFor(undefined, `?sub_tenant_id=${tenantId}`)).toEqual(['Given', 'Own', 'Shared']);
    expect(await namesFor(tenantKey)).toEqual(['Given', 'Own', 'Shared']);
    expect(await namesFor(siblingKey)).toEqual(['Shared']);
    expect(await namesFor(api.testKey)).toEqual([]);
    const rename = (id: string, key: string) =>
      ask('PATCH', `/${id}`, { body: { name: 'Mine' }, key }).then(({ status }) => status);
    expect(await rename(shared.json.id as string, tenantKey)).toBe(403);
    expect(await rename(own.json.id as string, siblingKey)).toBe(404);
    expect(await rename(given.json.id as string, tenantKey)).toBe(200);
    expect((await ask('DELETE', `/${shared.json.id}`, { key: tenantKey })).status).toBe(403);
    const foreign = await create({ sub_tenant_id: tenantId }, siblingKey);
    expect(foreign.json.error.code).toBe('sub_tenant_mismatch');
    for (const { json } of [shared, own, given]) await ask('DELETE', `/${json.id}`);
  });

  test('is limited to 100 per owner', async () => {
    for (let count = 0; count < 100; count += 1) expect((await create({}, siblingKey)).status).toBe(201);
    const refused = await create({}, siblingKey);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'conflict']);
    expect((await create({}, tenantKey)).status).toBe(201);
  });
});
