// Tests the probes.
import { afterEach, expect, it } from 'vitest';
import { Refusal } from '../../src/contract/refusal.js';
import { startApi, type StartedApi } from '../support/start-api.js';

let api: StartedApi;
afterEach(() => api.close());
const ask = (path: string) => api.ask('GET', path, { key: '' });

it('returns 200 for both if there is no problem', async () => {
  api = await startApi();
  expect((await ask('/healthz')).json).toEqual({ status: 'ok' });
  expect((await ask('/readyz')).json).toEqual({ status: 'ready', warnings: [] });
});

it('warns of roles without a living node', async () => {
  api = await startApi({ deps: (deps) => ({ ...deps, missingRoles: () => ['mta'] }) });
  const { json } = await ask('/readyz');
  expect(json).toEqual({ status: 'ready', warnings: [expect.stringContaining('the role mta')] });
});

it('warns if the clock is a second off the database, and is not ready from ten seconds on', async () => {
  let offsetMs = -900;
  api = await startApi({ deps: (deps) => ({ ...deps, clockOffsetMs: () => offsetMs }) });
  expect((await ask('/readyz')).json).toEqual({ status: 'ready', warnings: [] });
  offsetMs = 1_000;
  const warnings = ["The machine's clock is 1.0 s ahead of the database."];
  expect((await ask('/readyz')).json).toEqual({ status: 'ready', warnings });
  offsetMs = -10_000;
  const { status, json } = await ask('/readyz');
  expect([status, json.error.message]).toEqual([503, "The machine's clock is 10.0 s behind the database."]);
});

it('is alive but not ready if the store is unavailable', async () => {
  const commit = () => Promise.reject(new Refusal('unavailable'));
  api = await startApi({ deps: (deps) => ({ ...deps, store: { ...deps.store, commit } }) });
  const answer = await ask('/readyz');
  expect([answer.status, answer.json.error.code]).toEqual([503, 'unavailable']);
  expect((await ask('/healthz')).status).toBe(200);
});

it('is not ready while commits are refused because of the replica', async () => {
  const replicaProblem = () => 'the replica does not respond (no route to host)';
  api = await startApi({ deps: (deps) => ({ ...deps, replicaProblem }) });
  const { status, json } = await ask('/readyz');
  const message = 'The server cannot store changes: the replica does not respond (no route to host).';
  expect([status, json.error.message]).toEqual([503, message]);
  expect((await ask('/healthz')).status).toBe(200);
});

it('is not ready as soon as it is asked to stop', async () => {
  let isClosing = false;
  api = await startApi({ deps: (deps) => ({ ...deps, isClosing: () => isClosing }) });
  expect((await ask('/readyz')).status).toBe(200);
  isClosing = true;
  expect((await ask('/readyz')).status).toBe(503);
});

it('still responds then, and asks clients to close their connections', async () => {
  let isClosing = false;
  api = await startApi({ deps: (deps) => ({ ...deps, isClosing: () => isClosing }) });
  const list = () => api.ask('GET', '/v1/api-keys');
  expect((await list()).headers['connection']).not.toBe('close');
  isClosing = true;
  const answer = await list();
  expect([answer.status, answer.headers['connection']]).toEqual([200, 'close']);
});
