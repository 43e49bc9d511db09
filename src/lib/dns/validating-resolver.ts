// Looks up names and determines whether the answers are authentic. A local resolver validates DNSSEC, and its statement is trusted
// because no one can tamper with the path to it (RFC 6698, RFC 7672 section 2.1).
import ipaddr from 'ipaddr.js';
import type { RecordType } from 'dns-packet';
import { canonicalAddress } from '../addresses/index.js';
import type { TlsaRecord } from '../tls-policy/index.js';
import { canonicalHost, type DnsFailure, type MxRecord } from '../dns-answers/index.js';
import type { Clock } from '../runtime/index.js';
import { createAnswerCache, type Fetched, type ResolverStats } from './answer-cache.js';
import { askDnsServer, type DnsPeer, type DnsReply } from './dns-exchange.js';
import { parseDnsServer } from './servers.js';

/** `secure`: the answer is authentic, even if it is negative. `name`: the end of the CNAME chain. */
export type SecureAnswer<T> =
  | { kind: 'found'; secure: boolean; name: string; records: T[] }
  | { kind: 'no_data' | 'no_name'; secure: boolean; name: string }
  | { kind: 'failed'; reason: DnsFailure };

export interface ValidatingResolverOptions {
  /** `ip`, `ip:port` or `[v6]:port`. If it is not on this machine, no answer counts as secure. */
  server: string;
  /** Limit of each try. Default 3,000, because a validating resolver may ask many questions itself. */
  timeoutMs?: number;
  /** Default 2. */
  tries?: number;
  maxParallel?: number;
  /** Cached answers. Default 20,000. */
  cacheSize?: number;
  /** Maximum lifetime of an answer, regardless of its TTL. Default 5 minutes. */
  positiveTtlMs?: number;
  /** Lifetime of no_name and no_data. Default 1 minute; failures live for 10 s. */
  negativeTtlMs?: number;
  /** A name that is certainly signed, and a type of its records. Default: NS of the root. */
  probe?: { name: string; type: RecordType };
  clock: Clock;
}

export interface ValidatingResolver {
  /** Takes the full name, such as `_25._tcp.mx.example.com`. */
  tlsa(name: string): Promise<SecureAnswer<TlsaRecord>>;
  /** Looks up A and AAAA; secure if every received answer is. */
  secureAddresses(host: string): Promise<SecureAnswer<string>>;
  secureMx(domain: string): Promise<SecureAnswer<MxRecord>>;
  /** Looks up the alias itself, not its target. */
  secureAlias(name: string): Promise<SecureAnswer<string>>;
  /**
   * Resolves to `null` if the server is local and authenticates the probe, otherwise to the reason why it
   * cannot be used for DANE.
   */
  provesValidation(): Promise<string | null>;
  stats(): ResolverStats;
}

const MAX_NAME_CHARACTERS = 253;
const MAX_CNAME_HOPS = 8;
const DEFAULT_PROBE = { name: '', type: 'NS' } as const;

/** Creates the resolver. Throws an Error that quotes an invalid server address. */
export function createValidatingResolver(options: ValidatingResolverOptions): ValidatingResolver {
  const server = parsePeer(options.server);
  const isLocal = isLoopback(server.address);
  const limits = { timeoutMs: options.timeoutMs ?? 3_000, tries: options.tries ?? 2 };
  const positiveTtlMs = options.positiveTtlMs ?? 5 * 60_000;
  const negativeTtlMs = options.negativeTtlMs ?? 60_000;
  const cache = createAnswerCache({
    size: options.cacheSize ?? 20_000,
    maxParallel: options.maxParallel ?? 64,
    positiveTtlMs: Math.max(positiveTtlMs, negativeTtlMs),
    negativeTtlMs,
    clock: options.clock,
  });

  /** Whole replies are cached, even without records; the cache sees each as one found record. */
  async function fetchReply(name: string, type: RecordType): Promise<Fetched<DnsReply>> {
    const exchanged = await askDnsServer(server, { name, type }, limits);
    if (exchanged.kind === 'failed') return { answer: exchanged, ttlMs: 0 };
    const { reply } = exchanged;
    const isEmpty = !reply.answers.some((answer) => answer.type === type);
    const ttlMs = Math.min(shortestTtlMs(reply), isEmpty ? negativeTtlMs : positiveTtlMs);
    return { answer: { kind: 'found', records: [reply] }, ttlMs };
  }

  async function look<T>(
    rawName: string,
    type: RecordType,
    read: (data: unknown) => T,
    fresh = false,
  ): Promise<SecureAnswer<T>> {
    const name = canonicalHost(rawName);
    // DNS cannot carry the name, so it cannot exist, and the package would encode it wrongly.
    if (!isDnsName(name)) return { kind: 'no_name', secure: false, name };
    const cached = await cache.ask(`${type} ${name}`, fresh, () => fetchReply(name, type));
    if (cached.kind === 'failed') return cached;
    const reply = cached.kind === 'found' ? cached.records[0] : undefined;
    if (reply === undefined) return { kind: 'failed', reason: 'unknown' };
    const secure = isLocal && reply.isAuthentic;
    const end = type === 'CNAME' ? name : endOfAliases(name, reply);
    if (end === null) return { kind: 'failed', reason: 'malformed' };
    if (reply.code === 'no_name') return { kind: 'no_name', secure, name: end };
    const records = reply.answers.flatMap((answer) =>
      answer.type === type && canonicalHost(answer.name) === end && 'data' in answer
        ? [read(answer.data)]
        : [],
    );
    return records.length > 0
      ? { kind: 'found', secure, name: end, records }
      : { kind: 'no_data', secure, name: end };
  }

  return {
    tlsa: (name) => look(name, 'TLSA', readTlsa),
    secureMx: (domain) => look(domain, 'MX', readMx),
    secureAlias: (name) => look(name, 'CNAME', readName),
    async secureAddresses(host) {
      return mergeFamilies(await Promise.all([look(host, 'A', String), look(host, 'AAAA', String)]));
    },
    async provesValidation() {
      if (!isLocal) return `${server.address} is not on this machine`;
      const { name, type } = options.probe ?? DEFAULT_PROBE;
      const answer = await look(name, type, () => null, true);
      const what = `${type} records of "${name === '' ? '.' : name}"`;
      if (answer.kind === 'failed') return `no answer for the ${what}: ${answer.reason}`;
      if (answer.kind !== 'found') return `there are no ${what}`;
      return answer.secure ? null : `the ${what} come without proof (AD): the server does not validate`;
    },
    stats: () => cache.stats(),
  };
}

function parsePeer(text: string): DnsPeer {
  const canonical = parseDnsServer(text);
  const colon = canonical.lastIndexOf(':');
  return {
    address: canonical.slice(0, colon).replace(/^\[|\]$/g, ''),
    port: Number(canonical.slice(colon + 1)),
  };
}

function isLoopback(address: string): boolean {
  return ipaddr.parse(canonicalAddress(address)).range() === 'loopback';
}

function isDnsName(name: string): boolean {
  if (name === '') return true;
  const labels = name.split('.');
  return (
    Buffer.byteLength(name) <= MAX_NAME_CHARACTERS &&
    labels.every((label) => label !== '' && Buffer.byteLength(label) <= 63)
  );
}

function shortestTtlMs({ answers, authorities }: DnsReply): number {
  // The SOA record gives the lifetime of a negative answer (RFC 2308 section 5).
  const ttls = [...answers, ...authorities].flatMap((record) => {
    if (record.type === 'SOA') return [Math.min(record.ttl ?? 0, record.data.minimum ?? 0)];
    return answers.includes(record) && 'ttl' in record ? [record.ttl ?? 0] : [];
  });
  return Math.min(...ttls) * 1000;
}

/** Returns the end of the aliases of a reply from `name`; `null` if they loop or are too many. */
function endOfAliases(name: string, { answers }: DnsReply): string | null {
  const aliases = new Map(
    answers.flatMap((answer) =>
      answer.type === 'CNAME' ? [[canonicalHost(answer.name), canonicalHost(answer.data)]] : [],
    ),
  );
  let end = name;
  for (let hop = 0; hop <= MAX_CNAME_HOPS; hop += 1) {
    const next = aliases.get(end);
    if (next === undefined) return end;
    end = next;
  }
  return null;
}

function mergeFamilies(answers: SecureAnswer<string>[]): SecureAnswer<string> {
  const received = answers.filter((answer) => answer.kind !== 'failed');
  const found = received.filter((answer) => answer.kind === 'found');
  const secure = received.every((answer) => answer.secure);
  const [first] = found;
  if (first) {
    return { ...first, secure, records: found.flatMap((answer) => answer.records) };
  }
  const worst =
    answers.find((answer) => answer.kind === 'failed') ??
    answers.find((answer) => answer.kind === 'no_data') ??
    answers[0];
  if (worst === undefined || worst.kind === 'failed') return worst ?? { kind: 'failed', reason: 'unknown' };
  return { ...worst, secure };
}

// dns-packet decodes each type into one form, but declares unions.

function readTlsa(data: unknown): TlsaRecord {
  const { usage, selector, matchingType, certificate } = data as {
    usage: number;
    selector: number;
    matchingType: number;
    certificate: Buffer;
  };
  return { usage, selector, matchingType, data: certificate.toString('hex') };
}

function readMx(data: unknown): MxRecord {
  const { preference, exchange } = data as { preference?: number; exchange: string };
  return { preference: preference ?? 0, exchange: canonicalHost(exchange) };
}

function readName(data: unknown): string {
  return canonicalHost(data as string);
}
