// Wires the whole appliance: data folder -> store -> outbound -> api -> inbound. Composition, nothing decided.
import type { AddressInfo } from 'node:net';
import { BUSY_TIMEOUT_MS, openAppliance } from '../admin/open-appliance.js';
import { boundPorts } from './bound-ports.js';
import { publicUrlWarning } from '../operations/preflight/public-url.rules.js';
import { createApi } from './api.js';
import type { BoundPort } from '../operations/system.routes.js';
import { createHttpsListener, type HttpsListening } from '../api/https.js';
import { createMailIn, type MailPort } from './inbound.js';
import { createOutbound } from '../outbound/index.js';
import { readOutboundRules } from '../outbound/route/outbound-rules.js';
import { createTlsPolicies } from '../outbound/route/tls-policies.js';
import { dkimSelfTest } from '../lib/dkim/dkim.js';
import { createResolver } from '../lib/dns/resolver.js';
import type { Config } from '../settings/settings.js';
import { systemClock } from '../lib/runtime/clock.js';
import { prepareDataFolder } from '../lib/runtime/data-folder.js';
import type { Log } from '../lib/runtime/log.js';
import type { ClosingStep } from '../lib/runtime/shutdown.js';
import { lockDataFolder } from '../store/engine/server-lock.js';
import { createCertificates } from '../operations/certificates/certificates.js';
import { firstStart, type FirstStart } from '../accounts/first-start.js';
import { openKeyGeneration } from '../outbound/deliver/key-generation.js';
import { ensureOwner, ownerOfSettings } from '../accounts/people/owner.js';
import { createPasswords } from '../accounts/people/passwords.js';
import { ensurePlatformKey } from '../domains/platform.js';
import { createZoneServer } from '../domains/index.js';
import type { NameServerListening } from '../lib/dns/name-server.js';

export interface RunningServer {
  /** Where the API listens. */
  address: AddressInfo;
  /** Where it does over TLS, or why it does not. */
  overTls: HttpsListening;
  mailPorts: readonly MailPort[];
  /** Where the name server listens, or why it does not; null without a zone. */
  nameServer: NameServerListening | null;
  dataFolder: string;
  firstStart: FirstStart;
  /** ApiPart first, the store last. */
  closing: ClosingStep[];
}

/** Starts everything. Throws before anything was accepted when something is missing. */
export async function startServer(config: Config, log: Log): Promise<RunningServer> {
  const clock = systemClock;
  const rules = readOutboundRules(config);
  const owner = ownerOfSettings(config);
  for (const note of rules.egress.notes) log.warn(note);
  const warning = publicUrlWarning(config.publicUrl);
  if (warning !== null) log.warn(warning);
  const broken = await dkimSelfTest();
  if (broken !== null) throw new Error(`DKIM signing does not work on this machine: ${broken}`);
  const { path } = await prepareDataFolder(config.dataDir);
  const lock = lockDataFolder(path);
  const { store, keys, folder } = await openAppliance(config);
  await ensurePlatformKey({ store, masterKey: keys.masterKey, clock, platformDomain: config.platformDomain });
  const resolver = createResolver({
    servers: config.dnsServers,
    timeoutMs: config.dnsTimeoutMs,
    tries: config.dnsTries,
    maxParallel: config.dnsParallel,
    positiveTtlMs: config.dnsCacheMs,
    negativeTtlMs: config.dnsNegativeCacheMs,
    clock,
  });
  let ports: BoundPort[] = [];
  const wakeUps = {
    queue: (queueIds: readonly number[]): void => outbound.notify(queueIds),
    events: (): void => api.webhooks.notify(),
  };
  const certificates = await createCertificates({ settings: config, dataFolder: path, clock, log });
  const { sts, dane } = await createTlsPolicies({ store, config, resolver, clock, log });
  const keyGeneration = openKeyGeneration();
  const outbound = await createOutbound({
    keyGeneration,
    store,
    config,
    keys,
    rules,
    resolver,
    sts,
    dane,
    databaseFile: folder.databaseFile,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    clock,
    log,
    notifyEvents: wakeUps.events,
    notifyInbound: () => mailIn.notifyInbound(),
  });
  const api = await createApi({
    store,
    config,
    keys,
    dataFolder: path,
    resolver,
    clock,
    log,
    wakeUps,
    notifyInbound: () => mailIn.notifyInbound(),
    sts,
    rules,
    traffic: outbound.traffic,
    tenants: outbound.tenants,
    keyGeneration,
    nameTenant: (tenantId, externalId) => outbound.nameTenant(tenantId, externalId),
    acmeChallenges: certificates.challenges,
    ports: () => ports,
  });
  const mailIn = createMailIn({
    store,
    config,
    keys,
    dataFolder: path,
    certificates: {
      current: () => certificates.current(),
      onChange: (listener) => certificates.subscribe(listener),
    },
    credentials: api.credentials,
    submission: api.submission,
    providers: rules.providers,
    clock,
    log,
    wakeUps,
  });
  const https = await createHttpsListener({ app: api.app, certificates });
  await api.app.listen({ host: config.httpHost, port: config.httpPort });
  const overTls = config.https
    ? await https.listen({ host: config.httpHost, port: config.httpsPort })
    : { ok: false as const, reason: 'POSTHORN_HTTPS is false' };
  if (config.https && !overTls.ok) log.warn({ reason: overTls.reason }, 'no HTTPS');
  const mailPorts = await mailIn.start();
  const zone = createZoneServer({ store, config, rules, certificates, clock, log });
  const nameServer = await zone.start();
  const address = api.app.server.address() as AddressInfo;
  ports = boundPorts({ address, overTls: config.https ? overTls : null, mailPorts, nameServer });
  // Its secret is shown once: a start that fails over a port must not use it up.
  const first = await firstStart(store, { clock });
  if (owner) await ensureOwner({ store, passwords: createPasswords(), clock, log }, owner);
  await outbound.start();
  api.webhooks.start();
  api.audience.start();
  api.schedules.start();
  certificates.start();
  return {
    address,
    overTls,
    mailPorts,
    nameServer,
    dataFolder: path,
    firstStart: first,
    closing: [
      { name: 'mail ports', close: () => mailIn.stopListening() },
      { name: 'event streams', close: () => api.webhooks.closeStreams() },
      { name: 'https', close: () => https.close() },
      { name: 'http', close: () => api.app.close() },
      { name: 'certificates', close: () => certificates.stop() },
      { name: 'inbound mail', close: () => mailIn.stopWork() },
      { name: 'sweeps', close: () => api.schedules.stop() },
      { name: 'mail about accounts', close: () => api.people.settled() },
      { name: 'mail to many', close: () => api.audience.stop() },
      { name: 'outbound', close: () => outbound.stop() },
      { name: 'TLS policies', close: () => sts.stop() },
      // Receivers of the last mail look its keys up.
      { name: 'name server', close: () => zone.stop() },
      { name: 'webhooks', close: () => api.webhooks.stop() },
      { name: 'renderer', close: () => api.renderer.close() },
      { name: 'resolver', close: () => resolver.close() },
      { name: 'store', close: () => store.close() },
      { name: 'data folder', close: () => lock.release() },
    ],
  };
}
