// Tests the access log: one bounded line per request, without text that the client wrote.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type StartedApi } from '../support/start-api.js';

const logged: string[] = [];
let api: StartedApi;
beforeAll(async () => {
  const logTo = { write: (line: string) => void logged.push(line) };
  api = await startApi({ settings: { accessLogShare: 1 }, logLevel: 'info', logTo });
});
afterAll(() => api.close());

const lines = () =>
  logged.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'request');

it('logs the route, the status and the refusal, and no path, query or body', async () => {
  await api.app.inject({ method: 'GET', url: '/v1/contacts/con_secretsecret?token=hunter2' });
  expect(lines()).toMatchObject([
    { method: 'GET', status: 401, code: 'unauthorized', actor_id: null, client: '127.0.0.1' },
  ]);
  expect(logged.join('')).not.toMatch(/hunter2|secretsecret/);
});

it('does not log successful probes', async () => {
  const before = lines().length;
  await api.app.inject({ method: 'GET', url: '/healthz' });
  expect(lines().length).toBe(before);
});

it('omits lines of clients that send too many requests, and logs their number', async () => {
  const before = lines().length;
  const asked = 300;
  for (let i = 0; i < asked; i++) await api.app.inject({ method: 'GET', url: '/nowhere' });
  const written = lines().length - before;
  expect(written).toBeGreaterThanOrEqual(90);
  expect(written).toBeLessThan(200);
  await api.close();
  const told = logged
    .map((line) => JSON.parse(line) as { left_out?: number })
    .filter((line) => line.left_out);
  expect(told.map(({ left_out: leftOut }) => leftOut)).toEqual([asked - written]);
});
