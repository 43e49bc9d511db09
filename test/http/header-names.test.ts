import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type StartedApi } from '../support/start-api.js';

let api: StartedApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it.each([
  ['X-Sub-Tenant', 'X-Sub-Tenant-Id'],
  ['X-Sub-Tenant-External-Id', 'X-Sub-Tenant-Id'],
  ['Sub-Tenant-Id', 'X-Sub-Tenant-Id'],
  ['X-Subtenant-Id', 'X-Sub-Tenant-Id'],
  ['X-Workspace', 'X-Workspace-Id'],
  ['X-Environment-Mode', 'X-Environment'],
  ['Idempotency-Keys', 'Idempotency-Key'],
  ['X-Idempotency-Key', 'Idempotency-Key'],
  ['Idempotent-Key', 'Idempotency-Key'],
  ['Service-Versions', 'Service-Version'],
])('a header %s is refused, and %s is suggested', async (given, meant) => {
  for (const path of ['/v1/contacts', '/v1/suppressions']) {
    const { status, json } = await api.ask('POST', path, {
      headers: { [given]: 'x' },
      body: { email: 'a@x.example' },
    });
    expect([status, json.error.code, json.error.param]).toEqual([400, 'bad_request', given.toLowerCase()]);
    expect(json.error.message).toContain(`Did you mean ${meant}?`);
  }
});

it('other headers are ignored', async () => {
  const headers = { 'X-Forwarded-Host': 'a', 'X-Service-Anything': 'b', 'X-Environ': 'c', Workbook: 'd' };
  Object.assign(headers, { 'X-Environment-Name': 'e', Environment: 'f', 'X-Workspace-Region': 'g' });
  expect((await api.ask('GET', '/v1/contacts', { headers })).status).toBe(200);
});
