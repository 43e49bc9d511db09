// Judges whether the host is fit to send mail. Facts become pass, warn, fail or unknown, with a remedy. operations/preflight
// gathers the facts. A fact that could not be determined is `unknown` and never a failure.
import type { ReachFact } from '../../lib/smtp-replies/index.js';
import type { CheckName } from './health-check.schema.js';
import type { CheckStatus } from '../../contract/check-status.js';
import { canonicalAddress } from '../../lib/addresses/index.js';
import { canonicalHost, type DnsAnswer, type MxRecord } from '../../lib/dns-answers/index.js';
import type { DnsblResult } from './dnsbl.rules.js';
import type { SpfFinding } from '../../lib/sender-policy/index.js';

export interface CheckResult {
  name: CheckName;
  /** An address, a host, or a DNS name. */
  subject: string | null;
  status: CheckStatus;
  observed: string;
  expected: string;
  /** Advice on the repair. `null` if the check passes. */
  remedy: string | null;
}

type Question = Pick<CheckResult, 'name' | 'subject' | 'expected'>;
type Judgement = Pick<CheckResult, 'status' | 'observed' | 'remedy'>;

const pass = (observed: string): Judgement => ({ status: 'pass', observed, remedy: null });
const warn = (observed: string, remedy: string): Judgement => ({ status: 'warn', observed, remedy });
const fail = (observed: string, remedy: string): Judgement => ({ status: 'fail', observed, remedy });
const unknown = (observed: string, remedy: string): Judgement => ({ status: 'unknown', observed, remedy });

const AGAIN = 'No action needed. The next run checks again.';
const MAX_OBSERVED = 300;

const listed = (records: readonly string[]): string => records.join(', ').slice(0, MAX_OBSERVED);
const failedWith = (reason: string): string => `DNS lookup failed (${reason})`;

/** Returns the subject of a check of one address of a name. With the check's name, it is unique. */
export function addressSubject(address: string, name: string): string {
  return `${address} at ${name}`;
}

/** Returns the result of a check that was not possible, with the reason. */
export function unknownResult(
  name: CheckName,
  subject: string | null,
  observed: string,
  remedy = AGAIN,
): CheckResult {
  return { name, subject, expected: 'a response', ...unknown(observed, remedy) };
}

interface ReverseFacts {
  address: string;
  ehloName: string;
  ptr: DnsAnswer<string>;
  /** Addresses of each name in the PTR record. */
  forward: ReadonlyMap<string, DnsAnswer<string>>;
}

/** Judges one source address: its reverse name, forward confirmation, and use in EHLO. */
export function judgeReverse(facts: ReverseFacts): CheckResult[] {
  const { address, ehloName, ptr } = facts;
  const subject = address;
  const questions = {
    ptr: { name: 'ptr', subject, expected: 'a PTR record' },
    forward: { name: 'forward_confirmed', subject, expected: `a PTR name that resolves to ${address}` },
    ehlo: { name: 'ptr_is_ehlo_name', subject, expected: ehloName },
  } as const satisfies Record<string, Question>;
  if (ptr.kind === 'failed') {
    const judgement = unknown(failedWith(ptr.reason), AGAIN);
    return Object.values(questions).map((question) => ({ ...question, ...judgement }));
  }
  if (ptr.kind !== 'found') {
    const remedy = `Ask your hosting provider to set the reverse DNS of the address to ${ehloName}.`;
    return [{ ...questions.ptr, ...fail('none', remedy) }];
  }
  return [
    { ...questions.ptr, ...pass(listed(ptr.records)) },
    { ...questions.forward, ...judgeForward(facts, ptr.records) },
    { ...questions.ehlo, ...judgeEhlo(facts, ptr.records) },
  ];
}

function confirmedNames({ address, forward }: ReverseFacts, names: readonly string[]): string[] {
  return names.filter((name) => {
    const answer = forward.get(name);
    if (answer?.kind !== 'found') return false;
    return answer.records.some((record) => canonicalAddress(record) === canonicalAddress(address));
  });
}

function judgeForward(facts: ReverseFacts, names: readonly string[]): Judgement {
  const confirmed = confirmedNames(facts, names);
  if (confirmed.length > 0) return pass(listed(confirmed));
  const answers = names.flatMap((name) => facts.forward.get(name) ?? []);
  const lost = answers.find((answer) => answer.kind === 'failed');
  if (lost?.kind === 'failed') return unknown(failedWith(lost.reason), AGAIN);
  const addresses = answers.flatMap((answer) => (answer.kind === 'found' ? answer.records : []));
  const observed =
    addresses.length > 0
      ? `${listed(names)} resolves to ${listed(addresses)}`
      : `${listed(names)} has no address`;
  return fail(
    observed,
    `Publish ${facts.address} as an address of ${names[0] ?? facts.ehloName}, or change the PTR record.`,
  );
}

function judgeEhlo(facts: ReverseFacts, names: readonly string[]): Judgement {
  const { ehloName } = facts;
  if (names.some((name) => canonicalHost(name) === canonicalHost(ehloName))) return pass(ehloName);
  const better = confirmedNames(facts, names)[0];
  const rename =
    better === undefined ? '' : ` or set the source's EHLO name (MAILKEEL_HOSTNAME) to ${better}`;
  return warn(listed(names), `Set the PTR record of ${facts.address} to ${ehloName}${rename}.`);
}

/** Judges the EHLO name. Receivers reject names that are not fully qualified in public DNS. */
export function judgeEhloName(ehloName: string, addresses: DnsAnswer<string>): CheckResult {
  const question = {
    name: 'ehlo_name',
    subject: ehloName,
    expected: 'a fully qualified hostname with an IP address',
  } as const;
  const name = canonicalHost(ehloName);
  const remedy = 'Set MAILKEEL_HOSTNAME to a name that you control in public DNS.';
  if (!name.includes('.') || /(^|\.)(localhost|local|localdomain|internal|lan|home\.arpa)$/.test(name)) {
    return { ...question, ...fail('a local hostname', remedy) };
  }
  if (addresses.kind === 'failed') return { ...question, ...unknown(failedWith(addresses.reason), AGAIN) };
  if (addresses.kind !== 'found')
    return { ...question, ...fail('no IP address', `Publish an A or AAAA record for it. ${remedy}`) };
  return { ...question, ...pass(listed(addresses.records)) };
}

export function judgeSpf(domain: string, address: string, finding: SpfFinding): CheckResult {
  const question = {
    name: 'spf',
    subject: addressSubject(address, domain),
    expected: `pass for ${address}`,
  } as const;
  const mechanism = `${address.includes(':') ? 'ip6' : 'ip4'}:${address}`;
  const observed = `${finding.result}: ${finding.detail}`.slice(0, MAX_OBSERVED);
  switch (finding.result) {
    case 'pass':
      return { ...question, ...pass(finding.record.slice(0, MAX_OBSERVED)) };
    case 'none':
      return {
        ...question,
        ...fail('no SPF record', `Publish the TXT record "v=spf1 ${mechanism} -all" at ${domain}.`),
      };
    case 'fail':
    case 'softfail':
      return { ...question, ...fail(observed, `Add ${mechanism} to the SPF record of ${domain}.`) };
    case 'neutral':
      return { ...question, ...warn(observed, `Add ${mechanism} to the SPF record of ${domain}.`) };
    case 'permerror':
      return {
        ...question,
        ...fail(observed, `Correct the SPF record of ${domain}. Receivers ignore invalid records.`),
      };
    case 'temperror':
      return { ...question, ...unknown(observed, AGAIN) };
  }
}

/** Sub-tenants publish `a:<hostname>`, so SPF fails for every source that is not an address of the host name. */
export function judgeTenantSpf(hostname: string, address: string, addresses: DnsAnswer<string>): CheckResult {
  const question = {
    name: 'tenant_spf',
    subject: addressSubject(address, hostname),
    expected: `includes ${address}`,
  } as const;
  if (addresses.kind === 'failed') return { ...question, ...unknown(failedWith(addresses.reason), AGAIN) };
  const records = addresses.kind === 'found' ? addresses.records : [];
  if (records.some((record) => canonicalAddress(record) === canonicalAddress(address))) {
    return { ...question, ...pass(listed(records)) };
  }
  const remedy = `Publish ${address} as an address of ${hostname}, because the SPF records of your sub-tenants' domains contain a:${hostname}.`;
  return { ...question, ...warn(records.length > 0 ? listed(records) : 'no IP address', remedy) };
}

export function judgeListing(address: string, zone: string, result: DnsblResult): CheckResult {
  const question = { name: 'dnsbl', subject: addressSubject(address, zone), expected: 'not listed' } as const;
  switch (result.kind) {
    case 'not_listed':
      return { ...question, ...pass('not listed') };
    case 'listed': {
      const remedy = `Look up the reason at ${zone}, fix the cause, and request removal there.`;
      return { ...question, ...fail(`listed (${listed(result.codes)})`, remedy) };
    }
    case 'unusable':
      return {
        ...question,
        ...unknown(result.why, `Remove ${zone} from MAILKEEL_DNSBLS, or query it through your own resolver.`),
      };
  }
}

/** Judges whether a source reaches mail servers on the port. Without targets, the result is unknown. */
export function judgePort25(source: string, port: number, tries: readonly ReachFact[]): CheckResult {
  const question = {
    name: 'port_25',
    subject: source,
    expected: `a mail server reachable on port ${port}`,
  } as const;
  const reached = tries.filter(({ outcome }) => outcome.kind === 'reached');
  const refusing = tries.find(
    ({ outcome }) =>
      outcome.kind === 'reached' && outcome.greeting !== null && /^5\d\d/.test(outcome.greeting),
  );
  if (refusing?.outcome.kind === 'reached' && reached.length === 1) {
    const observed = `${refusing.host}: ${refusing.outcome.greeting ?? ''}`.slice(0, MAX_OBSERVED);
    return { ...question, ...warn(observed, 'The remote server rejects this IP address. See its reply.') };
  }
  const [first] = reached;
  if (first) return { ...question, ...pass(`${first.host} [${first.address}]`) };
  const failures = tries.flatMap(({ host, outcome }) =>
    outcome.kind === 'failed' ? [{ host, ...outcome }] : [],
  );
  const observed = listed(failures.map(({ host, error }) => `${host}: ${error}`));
  if (failures.some(({ why }) => why === 'not_ours')) {
    return {
      ...question,
      ...fail(observed, 'Configure the address on this server, or remove it from the sources.'),
    };
  }
  const counted = failures.filter(({ why }) => why === 'refused' || why === 'timeout' || why === 'other');
  if (counted.length === 0) {
    const remedy = "Check this server's network route and DNS resolver.";
    return { ...question, ...unknown(observed === '' ? 'no mail server to test against' : observed, remedy) };
  }
  const remedy = `Outbound port ${port} appears to be blocked. Ask your provider to open it, or send through MAILKEEL_SMARTHOST.`;
  return { ...question, ...fail(observed, remedy) };
}

export function judgeSmarthost(name: string, tries: readonly ReachFact[]): CheckResult {
  const question = { name: 'smarthost', subject: name, expected: 'a connection' } as const;
  const reached = tries.find(({ outcome }) => outcome.kind === 'reached');
  if (reached) return { ...question, ...pass(`${reached.host} [${reached.address}]`) };
  const observed = listed(tries.flatMap(({ outcome }) => (outcome.kind === 'failed' ? [outcome.error] : [])));
  if (tries.length === 0)
    return {
      ...question,
      ...unknown('its hostname does not currently resolve', 'Check the hostname of the smarthost.'),
    };
  return {
    ...question,
    ...fail(
      observed,
      "Check the smarthost's hostname and port, and that it accepts connections from this server.",
    ),
  };
}

interface OwnMxFacts {
  domain: string;
  hostname: string;
  mx: DnsAnswer<MxRecord>;
  /** Addresses of `domain` itself, which is its own mail host if it has no MX records. */
  domainAddresses: DnsAnswer<string>;
  hostAddresses: DnsAnswer<string>;
}

/** Bounces and replies go to these domains. Many receivers also reject sender domains that receive no mail. */
export function judgeOwnMx(name: 'bounce_mx' | 'inbound_mx', facts: OwnMxFacts): CheckResult {
  const { domain, hostname, mx } = facts;
  const question = { name, subject: domain, expected: `MX 10 ${hostname}` } as const;
  const setting = name === 'bounce_mx' ? 'MAILKEEL_BOUNCE_DOMAIN' : 'MAILKEEL_INBOUND_DOMAIN';
  const isOwnHost = canonicalHost(domain) === canonicalHost(hostname);
  const publish = isOwnHost
    ? `Publish an A or AAAA record for ${hostname}, or set ${setting}.`
    : `Publish the record MX 10 ${hostname} at ${domain}.`;
  if (mx.kind === 'failed') return { ...question, ...unknown(failedWith(mx.reason), AGAIN) };
  if (mx.kind === 'found') return { ...question, ...judgeBestMx(facts, mx.records, publish) };
  const own = facts.domainAddresses;
  if (own.kind === 'failed') return { ...question, ...unknown(failedWith(own.reason), AGAIN) };
  if (own.kind !== 'found') return { ...question, ...fail('no MX record and no address', publish) };
  if (isOwnHost) return { ...question, ...pass(listed(own.records)) };
  return { ...question, ...warn(`no MX record, but an address record: ${listed(own.records)}`, publish) };
}

function judgeBestMx(
  { hostname, hostAddresses }: OwnMxFacts,
  records: readonly MxRecord[],
  publish: string,
): Judgement {
  const best = Math.min(...records.map(({ preference }) => preference));
  const ours = records.find(
    ({ exchange, preference }) => preference === best && canonicalHost(exchange) === canonicalHost(hostname),
  );
  const observed = listed(
    records.map(({ preference, exchange }) => `${preference} ${exchange === '' ? '.' : exchange}`),
  );
  if (records.every(({ exchange }) => exchange === ''))
    return fail('a null MX record (the domain does not accept mail)', publish);
  if (!ours) return warn(observed, publish);
  if (hostAddresses.kind === 'failed') return unknown(failedWith(hostAddresses.reason), AGAIN);
  return hostAddresses.kind === 'found'
    ? pass(observed)
    : fail(`${hostname} has no IP address`, `Publish an A or AAAA record for ${hostname}.`);
}
