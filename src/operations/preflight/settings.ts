// Reads the settings of the preflight checks from the configuration.
import type { Egress } from '../../outbound/route/egress.rules.js';
import type { ZoneToCheck } from './preflight-zone.rules.js';
import type { PreflightSource } from './source-checks.js';

export interface PreflightSmarthost {
  name: string;
  host: string;
  port: number;
  /** False if TLS begins with the connection. */
  greets: boolean;
}

export interface PreflightSettings {
  /** Sources of direct delivery. Empty if a smarthost takes all mail. */
  sources: readonly PreflightSource[];
  smarthosts: readonly PreflightSmarthost[];
  hostname: string;
  bounceDomain: string;
  inboundDomain: string;
  platformDomain: string | null;
  mxPort: number;
  allowPrivateMx: boolean;
  publicUrl: string;
  dataDir: string;
  /** True if the inbound listener is on. */
  takesMail: boolean;
  /** True if Mailkeel's MTA-STS policy asks senders to verify its certificate. */
  mustVerify: boolean;
  /** Domains whose mail hosts show whether port 25 is open. */
  domains: readonly string[];
  /** Zones of DNS block lists. */
  dnsbls: readonly string[];
  clockUrl: string | null;
  /** A cron pattern, or `null` without scheduled backups. */
  backupSchedule: string | null;
  /** The delegated zone and the port of its name server, or `null`. */
  zone: (ZoneToCheck & { port: number }) | null;
  /** Time limit of the whole run. */
  timeLimitMs: number;
}

/** The settings of the configuration that the checks need. */
interface PreflightConfig extends Pick<
  PreflightSettings,
  | 'hostname'
  | 'bounceDomain'
  | 'inboundDomain'
  | 'platformDomain'
  | 'mxPort'
  | 'allowPrivateMx'
  | 'publicUrl'
  | 'dataDir'
> {
  preflightDomains: readonly string[];
  preflightClockUrl: string | null;
  preflightTimeLimitMs: number;
  dnsbls: readonly string[] | null;
  inbound: boolean;
  mtaStsMode: 'testing' | 'enforce' | 'none';
  dnsZone?: string | null;
  dnsNameServers?: readonly string[] | null;
  backupSchedule?: string | null;
}

/** Resolvers use no other port. */
const DNS_PORT = 53;

export function preflightSettings(
  config: PreflightConfig,
  ways: Pick<PreflightSettings, 'sources' | 'smarthosts'>,
): PreflightSettings {
  const { hostname, bounceDomain, inboundDomain, platformDomain } = config;
  const { mxPort, allowPrivateMx, publicUrl, dataDir } = config;
  return {
    ...ways,
    hostname,
    bounceDomain,
    inboundDomain,
    platformDomain,
    mxPort,
    allowPrivateMx,
    publicUrl,
    dataDir,
    takesMail: config.inbound,
    mustVerify: config.inbound && config.mtaStsMode === 'enforce',
    domains: config.preflightDomains,
    dnsbls: config.dnsbls ?? [],
    clockUrl: config.preflightClockUrl,
    backupSchedule: config.backupSchedule ?? null,
    zone: zoneOf(config),
    timeLimitMs: config.preflightTimeLimitMs,
  };
}

function zoneOf({
  dnsZone = null,
  dnsNameServers = null,
  hostname,
}: PreflightConfig): PreflightSettings['zone'] {
  if (dnsZone === null) return null;
  const written = dnsNameServers ?? [];
  return { name: dnsZone, nameServers: written.length > 0 ? written : [hostname], port: DNS_PORT };
}

/** Returns the sources of direct delivery and the smarthosts. */
export function usedEgress({
  sources,
  smarthosts,
  pools,
  routes,
  ...egress
}: Egress): Pick<PreflightSettings, 'sources' | 'smarthosts'> {
  const vias = [...egress.default, ...routes.flatMap(({ via }) => via)];
  const used = new Set(
    vias.flatMap((via) =>
      via.kind === 'pool' ? (pools.get(via.pool) ?? []).map(({ source }) => source) : [],
    ),
  );
  return {
    sources: [...sources.values()].filter(({ name }) => used.has(name)),
    smarthosts: [...smarthosts].map(([name, { host, port, tlsMode }]) => ({
      name,
      host,
      port,
      greets: tlsMode !== 'implicit',
    })),
  };
}
