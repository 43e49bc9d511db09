// Tests the state of the replica through the API.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replicaRoutes } from '../../src/operations/replica.routes.js';
import type { ReplicaFacts } from '../../src/replica/replica-health.rules.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const NOW = Date.UTC(2026, 0, 2);
const FACTS: ReplicaFacts = {
  ...{ storage: 's3://mail/replica', isOnSameDisk: false, waits: true, phase: 'replicating', generation: 3 },
  ...{ storedAt: NOW - 90_000, waitingSince: NOW - 80_000, waitingBytes: 5_000, storedBytes: 70_000 },
  away: { since: NOW - 80_000, reason: 'no route to host' },
  base: { at: NOW - 3_600_000, bytes: 40_000 },
};
let api: StartedApi;
let facts: ReplicaFacts | null = null;

beforeAll(async () => {
  api = await startApi({
    clock: () => NOW,
    routes: () => [(app) => replicaRoutes(app, { replica: () => facts, clock: () => NOW })],
  });
});
afterAll(() => api.close());

it('is off without a replica', async () => {
  const { status, json } = await api.ask('GET', '/v1/replica');
  expect([status, json]).toMatchObject([200, { object: 'replica', status: 'off', storage: null }]);
});

it('has the lag, the waiting data, and why the storage cannot be reached', async () => {
  facts = FACTS;
  expect((await api.ask('GET', '/v1/replica')).json).toEqual({
    object: 'replica',
    status: 'replicating',
    storage: 's3://mail/replica',
    waits: true,
    generation: 3,
    lag_seconds: 80,
    waiting_bytes: 5_000,
    stored_bytes: 70_000,
    last_stored_at: '2026-01-01T23:58:30.000Z',
    full_copy_at: '2026-01-01T23:00:00.000Z',
    full_copy_bytes: 40_000,
    unreachable: { since: '2026-01-01T23:58:40.000Z', reason: 'no route to host' },
  });
});

it('is shown to the operator only', async () => {
  const key = await api.addKey({ permission: 'full' });
  expect((await api.ask('GET', '/v1/replica', { key })).status).toBe(403);
});
