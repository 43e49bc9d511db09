// Wires the whole program on an open database: outbound -> api -> inbound. Nothing listens or runs yet. The server and the
// tests start here.
import type { AddressInfo } from 'node:net';
import type { CertificateSource } from '../lib/smtp-server/index.js';
import { BUSY_TIMEOUT_MS } from './installation/open-appliance.js';
import { skipRecipient } from '../campaigns/run/stopped-copies.store.js';
import { createSimulatedReplies } from '../inbound/simulated-replies.js';
import { createHttpsListener } from '../http/server/https.js';
import { createResolver, type DnsResolver } from '../lib/dns/index.js';
import { type Clock, type ClosingStep, type Log, workerUrl } from '../lib/runtime/index.js';
import { createDiskGuard, type DiskGuard } from '../lib/files/index.js';
import { createDraining, type Draining } from '../lib/http/index.js';
import type { Keys } from '../lib/secrets/index.js';
import { Certificates } from '../operations/certificates/certificates.js';
import { installationFiles, type InstallationFiles } from '../operations/files/installation-files.js';
import type { BoundPort } from '../operations/system.routes.js';
import { openKeyGeneration, type KeyGeneration } from '../domains/keys/key-generation.js';
import type { Renderer } from '../templates/rendering/renderer.js';
import { Outbound } from '../outbound/outbound.js';
import { createReload, type Reload, type ReloadReport } from '../outbound/reload.js';
import type { LiveRules } from '../outbound/route/outbound-rules.js';
import type { Config } from '../settings/settings.js';
import { placeFile, type DatabasePlace } from '../database/engine/place.js';
import type { Store } from './store.js';
import { createApi, type ApiPart } from './api.js';
import type { NodeRole } from '../contract/names.js';
import type { Cluster } from '../nodes/cluster.js';
import { isMine, listenToNodes, beginEpoch, readRoles, usableSources, type RoomOf } from './node.js';
import { boundPorts, type Listening } from './bound-ports.js';
import { createMailIn, type MailIn } from './inbound.js';
import { createTlsPolicies, type TlsPolicies } from '../outbound/route/tls-policies.js';
import { createZoneServer, type ZoneServer } from '../domains/index.js';
import type { ReplicaView } from './replica.js';
import { EngagedRecipients } from '../route-shares/engaged-recipients.js';
import { createTelemetry, type TelemetryPart } from './telemetry.js';

interface ProgramDeps {
  config: Config;
  rules: LiveRules;
  /** Loads the settings again. */
  readConfig: () => Config;
  store: Store;
  keys: Keys;
  /** Absolute path. */
  dataFolder: string;
  place: DatabasePlace;
  /** Identifies this run of the server, whether or not it is part of a cluster. */
  nodeId: string;
  /** This server as a node of a cluster; null if it is alone. */
  node: Cluster | null;
  /** Default: none. */
  replica?: ReplicaView | null;
  clock: Clock;
  log: Log;
  /** Default: created from the settings. */
  resolver?: DnsResolver;
  /** Default: created from the settings. */
  certificates?: Certificates;
  /** Default: created from the settings. Closed with the program. */
  renderer?: Renderer;
}

export interface Program {
  resolver: DnsResolver;
  certificates: Certificates;
  outbound: Outbound;
  reload: Reload;
  api: ApiPart;
  mailIn: MailIn;
  /** Opens the ports; inbound mail is processed from here on. */
  listen(): Promise<Listening>;
  /** Starts all background work: deliveries, webhooks, campaigns, sweeps. */
  start(): Promise<void>;
  /** Called when the database connection is restored. */
  databaseRegained(): void;
  /** Called when the database has lost this node's commits since `since` (epoch ms). */
  commitsLost(since: number): void;
  /** Steps in order: ports first, the store last. */
  closing: ClosingStep[];
}

/** Throws if a setting, a rule or a stored row contradicts the others. */
export async function assemble(deps: ProgramDeps): Promise<Program> {
  const { config, rules, store, keys, dataFolder, place, nodeId, node, replica = null, clock, log } = deps;
  const roles = readRoles(config);
  const roomOf: RoomOf = (name) => node?.room(name);
  const resolver = deps.resolver ?? resolverOf(config, clock);
  let ports: readonly BoundPort[] = [];
  const wakeUps = {
    queue(queueIds: readonly number[]): void {
      outbound.notify(queueIds);
      node?.publishQueues(queueIds);
    },
    events(): void {
      api.webhooks.notify();
      node?.publishEvents();
    },
  };
  const publishInbound = (): void => node?.publish({ kind: 'inbound' });
  const notifyInbound = (): void => {
    mailIn.notifyInbound();
    publishInbound();
  };
  const parse: MailIn['parse'] = (raw, owner) => mailIn.parse(raw, owner);
  store.onRecordEvents(() => node?.publishEvents());
  const disk = createDiskGuard(dataFolder, config.minFreeDiskBytes);
  const files = installationFiles({
    ...{ place, dataFolder, clock },
    store: store.files,
    masterKey: keys.masterKey,
  });
  const certificates = deps.certificates ?? (await openCertificates(deps, files, roomOf));
  const { sts, dane } = await createTlsPolicies({ store, config, resolver, clock, log });
  const ownKeyGeneration = openKeyGeneration();
  const keyGeneration = sharedKeyGeneration(ownKeyGeneration, node);
  const engagement = new EngagedRecipients({ store, clock });
  const shared = {
    ...{ store, config, keys, rules, resolver, keyGeneration, disk, clock, log, wakeUps, notifyInbound },
    ...{ place, node, replica, sts, parse, engagement, ...deliveryPorts(deps) },
  };
  const outbound = await Outbound.open(
    { ...shared, dane, busyTimeoutMs: BUSY_TIMEOUT_MS },
    { rules, onTrafficChanged: (change) => node?.publish(change) },
  );
  const { reload, reloadHere } = reloadOfNode(deps, outbound);
  const draining = createDraining({ ms: config.shutdownDrainMs, peers: node });
  const api = await createApi({
    ...shared,
    ...{ dataFolder, files, roomOf, roles },
    traffic: outbound.traffic,
    tenants: outbound.tenants,
    control: outbound.control,
    reload: () => reload,
    nameTenant: (tenantId, externalId) => outbound.nameTenant(tenantId, externalId),
    acmeChallenges: certificates.challenges,
    ...(deps.renderer === undefined ? {} : { renderer: deps.renderer }),
    ports: () => ports,
    isClosing: () => draining.isDraining,
  });
  const mailIn = createMailIn({
    ...{ store, config, keys, disk, clock, log, wakeUps, rules, roomOf, roles },
    onSpooled: publishInbound,
    certificates: certificateSource(certificates),
    credentials: api.credentials,
    submission: api.submission,
    quota: api.quota,
  });
  const https = await createHttpsListener({ app: api.app, certificates });
  const zone = createZoneServer({ store, config, rules, certificates, clock, log });
  const telemetry = createTelemetry({
    ...{ store, config, nodeId, node, dataFolder, databaseFile: placeFile(place), certificates, clock, log },
    ...{ replica, masterKey: keys.masterKey, traffic: outbound.traffic, checks: api.checks },
  });
  const parts: Parts = {
    ...{ disk, telemetry, store, resolver, certificates, outbound, api },
    ...{ mailIn, sts, https, zone, node },
  };
  return programOf(deps, parts, {
    ...{ reload, reloadHere, ownKeyGeneration, draining, roles },
    onListening: (opened) => (ports = opened),
  });
}

/** In a cluster, only one node fetches certificates. */
function openCertificates(
  { config, clock, log }: ProgramDeps,
  files: InstallationFiles,
  roomOf: RoomOf,
): Promise<Certificates> {
  return Certificates.open({ config, files, clock, log, mayFetch: () => isMine(roomOf('certificates')) });
}

function certificateSource(certificates: Certificates): CertificateSource {
  return {
    current: () => certificates.current(),
    onChange: (listener) => certificates.subscribe(listener),
  };
}

interface Running {
  reload: Reload;
  reloadHere: () => Promise<ReloadReport>;
  ownKeyGeneration: KeyGeneration;
  draining: Draining;
  roles: ReadonlySet<NodeRole>;
  onListening: (ports: readonly BoundPort[]) => void;
}

/** Combines the parts into the program: its start, its reactions to the database and other nodes, and its end. */
function programOf(deps: ProgramDeps, parts: Parts, running: Running): Program {
  const { config, store, node, clock, log } = deps;
  const { resolver, certificates, outbound, api, mailIn } = parts;
  const { reload, draining, roles } = running;
  const lostHistory = (since: number): void => beginEpochSince({ store, node, clock, log }, api, since);
  const stopListening = followNodes(deps, parts, running);

  return {
    ...{ resolver, certificates, outbound, reload, api, mailIn },
    async listen() {
      const listening = await listenOn(parts, { config, roles, log });
      running.onListening(boundPorts({ ...listening, overTls: config.https ? listening.overTls : null }));
      return listening;
    },
    async start() {
      await api.capDueTimes();
      const delivers = roles.has('mta');
      if (delivers) await outbound.start();
      api.webhooks.start();
      api.audience.start();
      api.schedules.start();
      certificates.start();
      await node?.start(delivers ? outbound.pathWork : null);
    },
    databaseRegained() {
      node
        ?.lostCommitsSince()
        .then((since) => (since === null ? undefined : lostHistory(since)))
        .catch((error: unknown) => log.error({ err: error }, 'checking for lost commits failed'));
    },
    commitsLost: lostHistory,
    closing: closingOf({ ...parts, draining, stopListening }),
  };
}

/** Starts one new epoch of events per fail-over, although several nodes and commits may notice it. */
function beginEpochSince(
  { store, node, clock, log }: Pick<ProgramDeps, 'store' | 'node' | 'clock' | 'log'>,
  { readEpochs }: Pick<ApiPart, 'readEpochs'>,
  since: number,
): void {
  if (node === null) return;
  beginEpoch({ cluster: node, store, readEpochs, clock, log }, since).catch((error: unknown) =>
    log.error({ err: error }, 'notifying event consumers of lost commits failed'),
  );
}

/** Follows changes by other nodes. The returned function stops that. */
function followNodes(
  { node, rules, log }: ProgramDeps,
  { outbound, api, mailIn }: Parts,
  { ownKeyGeneration, reloadHere }: Running,
): () => void {
  if (node === null) return () => undefined;
  return listenToNodes(node, {
    outbound,
    onEvents: () => api.webhooks.notify(),
    onInbound: () => mailIn.notifyInbound(),
    forgetCredential: api.forgetCredential,
    forgetSigningKeys: () => ownKeyGeneration.bump(),
    readEpochs: api.readEpochs,
    reload: reloadHere,
    lookAtSources: async () => node.setSources(await usableSources(rules.egress)),
    log,
  });
}

/** Key generation whose changes the other nodes follow. */
function sharedKeyGeneration(own: KeyGeneration, node: Cluster | null): KeyGeneration {
  return {
    ...own,
    bump() {
      own.bump();
      node?.publish({ kind: 'dkim' });
    },
  };
}

/** Access of delivery to campaigns, sequences and inbound mail. */
function deliveryPorts({ store, config, keys }: ProgramDeps) {
  return {
    workerUrl: workerUrl('app/delivery-worker.js'),
    copyStops: { ofCampaigns: store.stoppedCopies, ofSequences: store.leftSequences },
    skipRecipient,
    simulatedReplies: createSimulatedReplies({ store, config, keys }),
  };
}

function resolverOf(config: Config, clock: Clock): DnsResolver {
  return createResolver({
    servers: config.dnsServers,
    timeoutMs: config.dnsTimeoutMs,
    tries: config.dnsTries,
    maxParallel: config.dnsParallel,
    positiveTtlMs: config.dnsCacheMs,
    negativeTtlMs: config.dnsNegativeCacheMs,
    clock,
  });
}

/** Reloads this node and notifies the other nodes to do the same. */
function reloadOfNode(
  { config, rules, readConfig, node, log }: ProgramDeps,
  outbound: Outbound,
): { reload: Reload; reloadHere: () => Promise<ReloadReport> } {
  const own = createReload({ config, log }, { rules, readConfig, outbound });
  async function reloadHere(): Promise<ReloadReport> {
    const report = await own.run();
    await node?.setSources(await usableSources(rules.egress));
    return report;
  }
  const reload: Reload = {
    ...own,
    async run() {
      const report = await reloadHere();
      node?.publish({ kind: 'reload' });
      return report;
    },
  };
  return { reload, reloadHere };
}

interface Parts extends Pick<Program, 'resolver' | 'certificates' | 'outbound' | 'api' | 'mailIn'> {
  disk: DiskGuard;
  store: Store;
  telemetry: TelemetryPart;
  sts: TlsPolicies['sts'];
  https: Awaited<ReturnType<typeof createHttpsListener>>;
  zone: ZoneServer;
  node: Cluster | null;
}

async function listenOn(
  { disk, telemetry, api, https, mailIn, zone }: Parts,
  { config, roles, log }: { config: Config; roles: ReadonlySet<NodeRole>; log: Log },
): Promise<Listening> {
  await disk.start();
  const metricsPort = await telemetry.start();
  await api.app.listen({ host: config.httpHost, port: config.httpPort });
  const overTls = config.https
    ? await https.listen({ host: config.httpHost, port: config.httpsPort })
    : { ok: false as const, reason: 'MAILKEEL_HTTPS is false' };
  if (config.https && !overTls.ok) log.warn({ reason: overTls.reason }, 'HTTPS not available');
  const mailPorts = await mailIn.start();
  const nameServer = roles.has('dns') ? await zone.start() : null;
  const address = api.app.server.address() as AddressInfo;
  const metrics = metricsPort === null ? null : { host: config.metricsHost, port: metricsPort };
  return { address, overTls, mailPorts, nameServer, metrics };
}

function closingOf({
  disk,
  telemetry,
  store,
  resolver,
  certificates,
  outbound,
  api,
  mailIn,
  sts,
  https,
  zone,
  node,
  draining,
  stopListening,
}: Parts & { draining: Draining; stopListening: () => void }) {
  return [
    { name: 'load balancers', close: () => draining.run() },
    { name: 'messages of nodes', close: stopListening },
    { name: 'waits for the replica', close: () => store.beginClosing() },
    // Other nodes take over the leases while this one still answers.
    ...(node === null ? [] : [{ name: 'leases', close: () => node.leave() }]),
    { name: 'mail ports', close: () => mailIn.stopListening() },
    { name: 'event streams', close: () => api.webhooks.closeStreams() },
    { name: 'https', close: () => https.close() },
    { name: 'http', close: () => api.app.close() },
    { name: 'certificates', close: () => certificates.stop() },
    { name: 'inbound mail', close: () => mailIn.stopWork() },
    { name: 'sweeps', close: () => api.schedules.stop() },
    { name: 'mail about accounts', close: () => api.accounts.settled() },
    { name: 'mail to many', close: () => api.audience.stop() },
    { name: 'outbound', close: () => outbound.stop() },
    { name: 'TLS policies', close: () => sts.stop() },
    // Recipients' servers look up the keys of the last messages.
    { name: 'name server', close: () => zone.stop() },
    { name: 'webhooks', close: () => api.webhooks.stop() },
    { name: 'renderer', close: () => api.renderer.close() },
    { name: 'resolver', close: () => resolver.close() },
    { name: 'telemetry', close: () => telemetry.stop() },
    { name: 'disk space', close: () => disk.stop() },
    ...(node === null ? [] : [{ name: 'node', close: () => node.stop() }]),
    { name: 'store', close: () => store.close() },
  ];
}
