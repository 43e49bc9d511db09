// `mailkeel admin shaping`: shows the route of mail to a destination, its limits, and the rules that would lower them.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { MESSAGE_TYPES, type MessageType } from '../contract/names.js';
import { addressDomain, domainProblem } from '../lib/mime/index.js';
import { EXIT } from './exit-code.js';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';
import { lookUpRoute } from '../outbound/route/mx-look-up.js';
import { createResolver, type DnsResolver } from '../lib/dns/index.js';
import { systemClock } from '../lib/runtime/index.js';
import { DataProblems, formatDuration } from '../lib/config/index.js';
import type { Config } from '../settings/settings.js';
import type { AutomationAction, AutomationRule } from '../outbound/shape/automation.rules.js';
import type { AddressFamily } from '../lib/dns-answers/index.js';
import {
  membersFor,
  routeIndexFor,
  viasFor,
  type Egress,
  type EgressQuestion,
  type Via,
} from '../outbound/route/egress.rules.js';
import type { RateLimit } from '../lib/rate-limits/index.js';
import { findProvider } from '../outbound/route/provider.rules.js';
import {
  automationRules,
  layersFor,
  limitsFor,
  classifyNetwork,
  type PathNetwork,
  type PathQuestion,
  type Shaping,
} from '../outbound/shape/shaping.rules.js';
import { readOutboundRules, type OutboundRules } from '../outbound/route/outbound-rules.js';

const PERIODS = [
  [1000, 's'],
  [60_000, 'min'],
  [3_600_000, 'h'],
  [86_400_000, 'd'],
] as const;

interface ShapingQuestion {
  /** Recipient domain, whose MX hosts are looked up unless `mxHosts` are given. */
  domain?: string;
  mxHosts?: readonly string[];
  /** Limits the output to this source. */
  source?: string;
  /** The sub-tenant's id or external id. */
  tenant?: string;
  type?: MessageType;
  tag?: string;
}

/** The limits of a path in the notation of the configuration. */
interface ShownLimits {
  connections: number;
  connections_max: number;
  connection_rate: string | null;
  message_rate: string | null;
  messages_per_connection: number;
  idle: string;
  tls: string;
  /** The parts of the data that set them, broadest first. */
  from: string[];
}

interface ShownPath {
  /** Name of the source or smarthost. */
  source: string;
  /** Percentage of the pool's mail; 0 for a source that cannot reach the destination's addresses. */
  share: number;
  ehlo_name: string | null;
  address4: string | null;
  address6: string | null;
  warm_up_started_on: string | null;
  limits: ShownLimits;
}

interface ShownRule {
  name: string;
  pattern: string;
  code: string;
  phases: readonly string[] | null;
  trigger: string;
  action: string;
}

export interface ShapingAnswer {
  domain: string | null;
  mx_hosts: readonly string[];
  provider: string | null;
  network: PathNetwork;
  /** Reason why DNS yields no route; null if it yields one or was not queried. */
  no_route: string | null;
  /** The deciding part of the outbound object: `routes[2]` or `default`. */
  decided_by: string;
  /** In the order in which they are tried. */
  egress: { via: string; paths: ShownPath[] }[];
  overflow: string | null;
  automation: ShownRule[];
}

interface ShapingCheck {
  ok: boolean;
  problems: readonly string[];
  /** Remarks on data that is valid but probably a mistake. */
  notes: readonly string[];
  automation_rules: number;
  sources: readonly string[];
}

/** Validates the shipped data and the operator's. */
function checkShaping(config: Config): ShapingCheck {
  try {
    const { shaping, egress } = readOutboundRules(config);
    return {
      ok: true,
      problems: [],
      notes: egress.notes,
      automation_rules: shaping.automation.length,
      sources: [...egress.sources.keys()],
    };
  } catch (error) {
    if (!(error instanceof DataProblems)) throw error;
    return { ok: false, problems: error.problems, notes: [], automation_rules: 0, sources: [] };
  }
}

interface Destination {
  hosts: readonly string[];
  network: PathNetwork;
  families: readonly AddressFamily[];
  noRoute: string | null;
}

/** Throws DataProblems, and an Error for a source that does not exist. */
async function adminShaping(config: Config, question: ShapingQuestion): Promise<ShapingAnswer> {
  const rules = readOutboundRules(config);
  const { egress, shaping, providers } = rules;
  const { domain = '', source, tenant = null, type = 'transactional', tag } = question;
  if (source !== undefined && !egress.sources.has(source)) {
    throw new Error(`unknown source; known sources: ${[...egress.sources.keys()].join(', ')}`);
  }
  const destination = await lookUpDestination(config, question);
  const provider = findProvider(destination.hosts, providers);
  const tags = tag === undefined ? [] : [tag];
  const asked: EgressQuestion = { tenant, tenantExternalId: tenant, domain, provider, type, tags };
  const index = routeIndexFor(egress, asked);
  return {
    domain: question.domain ?? null,
    mx_hosts: destination.hosts,
    provider,
    network: destination.network,
    no_route: destination.noRoute,
    decided_by: index === null ? 'default' : `routes[${index}]`,
    egress: viasFor(egress, asked).map((via) => ({
      via: nameOf(via),
      paths: pathsOf(rules, via, destination, provider).filter(
        (path) => via.kind === 'smarthost' || source === undefined || path.source === source,
      ),
    })),
    overflow: egress.overflow && nameOf(egress.overflow),
    automation: automationRules(shaping, provider).map(shownRule),
  };
}

async function lookUpDestination(config: Config, question: ShapingQuestion): Promise<Destination> {
  const given = { network: 'public', families: [4, 6], noRoute: null } as const;
  if (question.mxHosts) return { ...given, hosts: question.mxHosts };
  if (question.domain === undefined) return { ...given, hosts: [] };
  const resolver = createResolver({
    servers: config.dnsServers,
    timeoutMs: config.dnsTimeoutMs,
    tries: config.dnsTries,
    clock: systemClock,
  });
  try {
    return await routedTo(config, resolver, question.domain);
  } finally {
    resolver.close();
  }
}

async function routedTo(config: Config, resolver: DnsResolver, domain: string): Promise<Destination> {
  const route = await lookUpRoute(resolver, domain, {
    allowPrivate: config.allowPrivateMx,
    ownAddresses: [],
    connectPort: config.mxPort,
    listenerPort: null,
    families: [4, 6],
  });
  if (route.kind !== 'route')
    return { hosts: [], network: 'public', families: [4, 6], noRoute: route.message };
  const addresses = route.hosts.flatMap((host) => host.addresses);
  const families = ([4, 6] as const).filter((family) =>
    addresses.some((address) => address.includes(':') === (family === 6)),
  );
  return { hosts: route.mxHosts, network: classifyNetwork(addresses), families, noRoute: null };
}

function pathsOf(
  { egress, shaping }: OutboundRules,
  via: Via,
  { hosts, network, families }: Destination,
  provider: string | null,
): ShownPath[] {
  if (via.kind === 'smarthost') {
    const host = egress.smarthosts.get(via.name)?.host ?? '';
    const path: PathQuestion = { provider: null, siteHosts: [host], source: via.name, network: 'smarthost' };
    return [{ ...noSource(via.name), share: 100, limits: shownLimits(shaping, path) }];
  }
  const reaching = membersFor(egress, via.pool, families);
  const total = reaching.reduce((sum, { weight }) => sum + weight, 0);
  return (egress.pools.get(via.pool) ?? []).map(({ source, weight }) => ({
    ...sourceFields(egress, source),
    share: reaching.some((member) => member.source === source) ? Math.round((weight * 1000) / total) / 10 : 0,
    limits: shownLimits(shaping, { provider, siteHosts: hosts, source, network }),
  }));
}

function noSource(name: string): Omit<ShownPath, 'share' | 'limits'> {
  return { source: name, ehlo_name: null, address4: null, address6: null, warm_up_started_on: null };
}

function sourceFields(egress: Egress, name: string): Omit<ShownPath, 'share' | 'limits'> {
  const source = egress.sources.get(name);
  if (!source) return noSource(name);
  const { ehloName, address4, address6, warmUp } = source;
  return {
    source: name,
    ehlo_name: ehloName,
    address4,
    address6,
    warm_up_started_on: warmUp?.startedOn ?? null,
  };
}

function shownLimits(shaping: Shaping, path: PathQuestion): ShownLimits {
  const limits = limitsFor(shaping, path);
  return {
    connections: limits.connections,
    connections_max: limits.connectionsMax,
    connection_rate: limits.connectionRate && shownRate(limits.connectionRate),
    message_rate: limits.messageRate && shownRate(limits.messageRate),
    messages_per_connection: limits.messagesPerConnection,
    idle: formatDuration(limits.idleMs),
    tls: limits.tls,
    from: layersFor(shaping, path)
      .filter((layer) => Object.keys(layer.limits).length > 0)
      .map(({ place }) => place),
  };
}

function shownRule({ name, pattern, code, phases, trigger, action }: AutomationRule): ShownRule {
  const { count, withinMs } = trigger;
  return {
    name,
    pattern: pattern.source,
    code,
    phases,
    trigger: count === 1 ? 'immediate' : `${count} within ${formatDuration(withinMs)}`,
    action: shownAction(action),
  };
}

function shownAction(action: AutomationAction): string {
  const time = `for ${formatDuration(action.forMs)}`;
  switch (action.kind) {
    case 'suspend':
    case 'suspend_tenant':
      return `${action.kind} ${time}`;
    case 'rate':
      return `rate ${shownRate(action.rate)} ${time}`;
    case 'connections':
    case 'messages_per_connection':
      return `${action.kind} ${action.limit} ${time}`;
  }
}

function shownRate({ count, perMs, burst }: RateLimit): string {
  const period = PERIODS.find(([ms]) => ms === perMs)?.[1] ?? formatDuration(perMs);
  return `${count}/${period} burst ${burst}`;
}

function nameOf(via: Via): string {
  return via.kind === 'pool' ? `pool:${via.pool}` : `smarthost:${via.name}`;
}

interface ShapingOptions extends OutputOptions {
  domain?: string;
  mx?: string[];
  source?: string;
  tenant?: string;
  type?: MessageType;
  tag?: string;
  check?: true;
}

export function addAdminShaping(admin: Command, terminal: Terminal): void {
  admin
    .command('shaping')
    .description('Show the route and limits of mail to a destination, or check the rules')
    .option('--domain <domain>', 'Recipient domain; its MX hosts are looked up in DNS', recipientDomain)
    .option('--mx <hosts>', 'MX hosts to use instead of looking them up, separated by commas', mailHosts)
    .option('--source <name>', 'Show only this source')
    .option('--tenant <id>', 'Sub-tenant, by ID or your external ID')
    .addOption(new Option('--type <type>', 'Message type').choices(MESSAGE_TYPES))
    .option('--tag <tag>', 'Message tag')
    .option('--check', 'Check the built-in and custom rules (exit code 9 if they contain errors)')
    .option('--json', 'Output JSON')
    .action(async ({ check, json, mx, ...question }: ShapingOptions) => {
      const { config } = terminal.loadConfig();
      const output: OutputOptions = json === undefined ? {} : { json };
      if (check === true) {
        const result = checkShaping(config);
        if (!result.ok) terminal.exitCode = EXIT.checkFailed;
        print(terminal, output, result, checkInWords(result));
        return;
      }
      const answer = await adminShaping(config, { ...question, ...(mx ? { mxHosts: mx } : {}) });
      print(terminal, output, answer, inWords(answer));
    });
}

/** Returns the domain in the notation of routes. */
function recipientDomain(text: string): string {
  const problem = domainProblem(text, { underscore: true });
  if (problem !== null) throw new InvalidArgumentError(problem);
  return addressDomain(`postmaster@${text}`);
}

function mailHosts(text: string): string[] {
  const hosts = text.split(',').map((host) => host.trim());
  if (hosts.includes('')) throw new InvalidArgumentError('A host name is empty.');
  return hosts;
}

function checkInWords({ ok, problems, notes, automation_rules, sources }: ShapingCheck): string {
  if (!ok) return problems.join('\n');
  const found = `${automation_rules} automation rules; sources: ${sources.join(', ')}`;
  return ['Rules are valid.', found, ...notes].join('\n');
}

function inWords(answer: ShapingAnswer): string {
  const hosts = answer.mx_hosts.length === 0 ? 'any' : answer.mx_hosts.join(', ');
  const head: [string, string][] = [
    ['MX hosts', answer.no_route ?? hosts],
    ['provider', answer.provider ?? 'none'],
    ['network', answer.network],
    ['matched by', answer.decided_by],
    ['overflow', answer.overflow ?? 'none (messages wait)'],
  ];
  const routes = answer.egress.flatMap(({ via, paths }, i) => [
    '',
    `${i + 1}. ${via}`,
    ...paths.map(({ source, share, address4, address6, ehlo_name, limits }) => {
      const addresses = [address4, address6].filter((address) => address !== null).join(' and ');
      const as = ehlo_name === null ? '' : ` from ${addresses || 'the system’s choice'} as ${ehlo_name}`;
      return `   ${source} (${share}%)${as}\n${limitsInWords(limits)}`;
    }),
  ]);
  const rules = answer.automation.map(({ name, trigger, action }) => [name, trigger, action]);
  return [table(head), ...routes, '', table([['rule', 'trigger', 'action'], ...rules])].join('\n');
}

function limitsInWords({ from, ...limits }: ShownLimits): string {
  const rows = Object.entries(limits).map(([name, value]) => [`     ${name}`, String(value ?? 'no limit')]);
  return table([...rows, ['     from', from.join(', ')]]);
}
