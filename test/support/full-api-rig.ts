// Every route of the program on a data folder of its own, wired as the server wires them, but without its rooms: nothing is
// delivered, and nothing changes but by requests.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUSY_TIMEOUT_MS, openAppliance } from '../../src/admin/open-appliance.js';
import { readOutboundRules } from '../../src/outbound/route/outbound-rules.js';
import { createApi } from '../../src/app/api.js';
import { createResolver } from '../../src/lib/dns/resolver.js';
import { createOutbound } from '../../src/outbound/index.js';
import { systemClock } from '../../src/lib/runtime/clock.js';
import { loadConfig } from '../../src/settings/load.js';
import { createLog } from '../../src/lib/runtime/log.js';
import type { Store } from '../../src/store/store.js';
import { createTlsPolicies } from '../../src/outbound/route/tls-policies.js';
import { createCertificates } from '../../src/operations/certificates/certificates.js';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { openKeyGeneration } from '../../src/outbound/deliver/key-generation.js';
import { startDnsServer } from './dns-server.js';

export type FullApiRig = Awaited<ReturnType<typeof startFullApi>>;

/** `before` writes what the rooms read when they are made. */
export async function startFullApi({
  env = {},
  before,
}: { env?: Record<string, string>; before?: (store: Store) => Promise<unknown> } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-api-'));
  const dns = await startDnsServer({ zones: {} });
  const { config } = loadConfig({
    env: {
      POSTHORN_DATA_DIR: dataDir,
      POSTHORN_DNS_SERVERS: dns.address,
      POSTHORN_PUBLIC_URL: 'https://mail.example.test',
      POSTHORN_HOSTNAME: 'mx.example.test',
      POSTHORN_RATE_LIMIT_LIVE: '0',
      POSTHORN_RATE_LIMIT_TEST: '0',
      POSTHORN_WEBHOOK_ALLOW_PRIVATE: 'true',
      ...env,
    },
  });
  const clock = systemClock;
  const log = createLog('silent');
  const rules = readOutboundRules(config);
  const { store, keys, folder } = await openAppliance(config);
  await before?.(store);
  const resolver = createResolver({ servers: [dns.address], timeoutMs: 200, tries: 1, clock });
  const certificates = await createCertificates({ settings: config, dataFolder: dataDir, clock, log });
  const { sts, dane } = await createTlsPolicies({ store, config, resolver, clock, log });
  const quiet = (): void => undefined;
  const keyGeneration = openKeyGeneration();
  const outbound = await createOutbound({
    ...{ store, config, keys, rules, resolver, sts, dane, keyGeneration, clock, log },
    ...{ databaseFile: folder.databaseFile, busyTimeoutMs: BUSY_TIMEOUT_MS },
    ...{ notifyEvents: quiet, notifyInbound: quiet },
  });
  const api = await createApi({
    ...{ store, config, keys, dataFolder: dataDir, resolver, clock, log, sts, rules },
    wakeUps: { queue: quiet, events: quiet },
    notifyInbound: quiet,
    traffic: outbound.traffic,
    tenants: outbound.tenants,
    keyGeneration,
    nameTenant: quiet,
    acmeChallenges: certificates.challenges,
    ports: () => [
      { name: 'relay', host: '127.0.0.1', port: 587, note: null },
      { name: 'relay_tls', host: '127.0.0.1', port: 465, note: null },
    ],
  });
  await api.app.ready();
  const first = await bootstrap(store, { clock });
  return {
    app: api.app,
    store,
    keys,
    config,
    dataDir,
    clock,
    databaseFile: folder.databaseFile,
    organizationId: first.organizationId,
    workspaceId: first.workspaceId,
    liveKey: first.liveKey ?? '',
    testKey: first.testKey ?? '',
    async close() {
      await api.app.close();
      await api.people.settled();
      await api.renderer.close();
      resolver.close();
      await store.close();
      await dns.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
