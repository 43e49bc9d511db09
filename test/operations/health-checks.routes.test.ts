// Tests the health of the server through the API.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { healthCheckRoutes } from '../../src/operations/preflight/health-checks.routes.js';
import type { CheckResult } from '../../src/operations/preflight/preflight.rules.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { PreflightRunner } from '../../src/operations/preflight/runner.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const START = Date.UTC(2026, 0, 2);
let api: StartedApi;
let now = START;
let results: CheckResult[] = [];
let runs = 0;
let gate: Promise<void> = Promise.resolve();

beforeAll(async () => {
  const clock = () => now;
  const preflight = new PreflightRunner({ clock, log: createLog('silent') }, async () => {
    runs += 1;
    await gate;
    return results;
  });
  api = await startApi({ clock, routes: () => [(app) => healthCheckRoutes(app, preflight, clock)] });
});
afterAll(() => api.close());

const ask = (key?: string, method = 'GET') =>
  api.ask(method, '/v1/health/checks', key === undefined ? {} : { key });

it('is unknown before the first run', async () => {
  const empty = { object: 'health_report', status: 'unknown', checked_at: null, data: [] };
  expect((await ask()).json).toEqual(empty);
});

it('runs once for simultaneous requests, and shows the last run', async () => {
  const check = { name: 'ptr', subject: '192.0.2.1', observed: 'none', expected: 'a PTR record' } as const;
  const result = { ...check, status: 'fail', remedy: 'Ask for it.' } as const;
  results = [result];
  let open = (): void => undefined;
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const asked = [ask(undefined, 'POST'), ask(undefined, 'POST')];
  await expect.poll(() => runs).toBe(1);
  open();
  const report = {
    object: 'health_report',
    status: 'fail',
    checked_at: '2026-01-02T00:00:00.000Z',
    data: [{ object: 'health_check', ...result }],
  };
  for (const answer of await Promise.all(asked)) expect([answer.status, answer.json]).toEqual([200, report]);
  expect(runs).toBe(1);
  const answer = await ask(await api.addKey({ permission: 'admin' }));
  expect([answer.status, answer.json]).toEqual([200, report]);
});

it('runs again after a minute at the earliest', async () => {
  now = START + 20_000;
  const early = await ask(undefined, 'POST');
  expect([early.status, early.headers['retry-after'], early.json.error.code]).toEqual([
    429,
    '40',
    'rate_limited',
  ]);
  now = START + 60_000;
  results = [];
  const later = await ask(undefined, 'POST');
  expect([later.status, later.json.status, later.json.data]).toEqual([200, 'unknown', []]);
  expect(runs).toBe(2);
});

it('is for the operator, and for no other key or tenant', async () => {
  const pinned = await api.addKey({ subTenantId: await api.addTenant('acme') });
  const full = await api.addKey({ permission: 'full' });
  for (const method of ['GET', 'POST']) {
    expect((await ask('', method)).status).toBe(401);
    expect((await ask(full, method)).status).toBe(403);
    expect((await ask(pinned, method)).status).toBe(403);
  }
  expect(runs).toBe(2);
});
