// The health of the appliance through the API.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { healthCheckRoutes, type HealthChecksDeps } from '../../src/http/api/routes/health-checks.js';
import { startApi, type StartedApi } from '../support/start-api.js';

let api: StartedApi;
let report: ReturnType<HealthChecksDeps['latest']> = null;
beforeAll(async () => {
  api = await startApi({ routes: () => [(app) => healthCheckRoutes(app, { latest: () => report })] });
});
afterAll(() => api.close());

const ask = (key?: string) => api.ask('GET', '/v1/health/checks', key === undefined ? {} : { key });

it('is unknown before the first run', async () => {
  const empty = { object: 'health_report', status: 'unknown', checked_at: null, data: [] };
  expect((await ask()).json).toEqual(empty);
});

it('shows the last run', async () => {
  const check = { name: 'ptr', subject: '192.0.2.1', observed: 'none', expected: 'a PTR record' } as const;
  const result = { ...check, status: 'fail', remedy: 'Ask for it.' } as const;
  report = { status: 'fail', checkedAt: Date.UTC(2026, 0, 2), results: [result] };
  const answer = await ask(await api.addKey({ permission: 'admin' }));
  expect([answer.status, answer.json]).toEqual([
    200,
    {
      object: 'health_report',
      status: 'fail',
      checked_at: '2026-01-02T00:00:00.000Z',
      data: [{ object: 'health_check', ...result }],
    },
  ]);
});

it('is for the operator: no other key, and no tenant', async () => {
  expect((await ask('')).status).toBe(401);
  expect((await ask(await api.addKey({ permission: 'full' }))).status).toBe(403);
  const pinned = await api.addKey({ subTenantId: await api.addTenant('acme') });
  expect((await ask(pinned)).status).toBe(403);
});
