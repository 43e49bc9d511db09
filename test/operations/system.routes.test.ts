// Tests the release, ports, limits and plan through the API.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemRoutes, type BoundPort } from '../../src/operations/system.routes.js';
import { compilePlans } from '../../src/accounts/quota.rules.js';
import { readShipped } from '../../src/settings/shipped.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const SETTINGS = {
  ...{ publicUrl: 'https://mail.example.test', hostname: 'mx.example.test' },
  ...{ rateLimitLivePerMinute: 600, rateLimitTestPerMinute: 0 },
  ...{ messageBodyLimitBytes: 1, bodyLimitBytes: 2, importSizeLimitBytes: 3, messageSizeLimitBytes: 4 },
  ...{ attachmentLimit: 5, recipientLimit: 6, batchLimit: 7 },
};
const release = { heading: '1.2.0', sections: [{ title: 'Added', items: ['More.'] }] };
let api: StartedApi;
let ports: BoundPort[] = [];

beforeAll(async () => {
  const plans = compilePlans(readShipped('plans'));
  api = await startApi({
    routes: (store) => [
      (app) =>
        systemRoutes(
          app,
          { store, config: SETTINGS },
          { plans, release, version: '1.2.0', ports: () => ports },
        ),
    ],
  });
});
afterAll(() => api.close());

const ask = async (key: string) => (await api.ask('GET', '/v1/system', { key })).json;

it('shows the operator everything, and no relay before one listens', async () => {
  expect(await ask(api.liveKey)).toEqual({
    ...{
      object: 'system',
      version: '1.2.0',
      public_url: SETTINGS.publicUrl,
      missing_settings: [],
      hostname: SETTINGS.hostname,
    },
    relay: null,
    limits: {
      ...{ requests_per_minute: 600, message_body_bytes: 1, body_bytes: 2, import_body_bytes: 3 },
      ...{ message_bytes: 4, attachments: 5, recipients: 6, batch: 7 },
    },
    plan: { name: 'unlimited', daily_sends: null, monthly_sends: null },
    ports: [],
    release,
  });
  ports = [
    { name: 'relay', host: '0.0.0.0', port: 2587, note: 'another program is using port 587' },
    { name: 'relay_tls', host: null, port: null, note: 'Another program listens there.' },
  ];
  const { relay, ports: shown } = await ask(api.liveKey);
  expect(relay).toEqual({ host: 'mx.example.test', port: 2587, tls_port: null });
  expect(shown).toEqual(ports);
});

it('counts requests by environment, and shows a sub-tenant neither plan nor ports', async () => {
  expect((await ask(api.testKey)).limits.requests_per_minute).toBeNull();
  const pinned = await api.addKey({ subTenantId: await api.addTenant('acme') });
  expect(await ask(pinned)).toMatchObject({ plan: null, ports: null, relay: { port: 2587 } });
});
