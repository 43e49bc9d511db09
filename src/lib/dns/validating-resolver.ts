// Look-ups that say whether their answer is authentic: one local resolver validates (DNSSEC), and its word is taken
// because nobody stands between it and us (RFC 6698, RFC 7672 section 2.1).
import ipaddr from 'ipaddr.js';
import type { RecordType } from 'dns-packet';
import { canonicalAddress } from '../addresses/index.js';
import type { TlsaRecord } from '../tls-policy/index.js';
import { canonicalHost, type DnsFailure, type MxRecord } from '../dns-answers/index.js';
import type { Clock } from '../runtime/index.js';
import { createAnswerCache, type Fetched, type ResolverStats } from './answer-cache.js';
import { askDnsServer, type DnsPeer, type DnsReply } from './dns-exchange.js';
import { parseDnsServer } from './servers.js';

/** `secure`: the answer, that there is nothing too, is authentic. `name`: where CNAMEs led. */
export type SecureAnswer<T> =
  | { kind: 'found'; secure: boolean; name: string; records: T[] }
  | { kind: 'no_data' | 'no_name'; secure: boolean; name: string }
  | { kind: 'failed'; reason: DnsFailure };

export interface ValidatingResolverOptions {
  /** `ip`, `ip:port` or `[v6]:port`. On another machine than this one its word is worth nothing: no answer is secure. */
  server: string;
  /** Of each of the tries. Default 3,000: a validating resolver may have many questions of its own. */
  timeoutMs?: number;
  /** Default 2. */
  tries?: number;
  maxParallel?: number;
  /** Answers kept. Default 20,000. */
  cacheSize?: number;
  /** The longest that an answer is kept, whatever its TTL. Default 5 minutes. */
  positiveTtlMs?: number;
  /** For no_name and no_data. Default 1 minute; failures are kept for 10 s. */
  negativeTtlMs?: number;
  /** A name that is signed for sure, and a type of record that it has. Default: the root's NS. */
  probe?: { name: string; type: RecordType };
  clock: Clock;
}

export interface ValidatingResolver {
  /** Of the full name, such as `_25._tcp.mx.example.com`. */
  tlsa(name: string): Promise<SecureAnswer<TlsaRecord>>;
  /** A and AAAA; secure when every answer that came is. */
  secureAddresses(host: string): Promise<SecureAnswer<string>>;
  secureMx(domain: string): Promise<SecureAnswer<MxRecord>>;
  /** The alias itself, not where it leads. */
  secureAlias(name: string): Promise<SecureAnswer<string>>;
  /** Null when the server is local and says of the probe that it is authentic; else why it is of no use for DANE. */
  provesValidation(): Promise<string | null>;
  stats(): ResolverStats;
}

const MAX_NAME_CHARACTERS = 253;
const MAX_CNAME_HOPS = 8;
const DEFAULT_PROBE = { name: '', type: 'NS' } as const;

/** Throws an Error that quotes the server when it cannot be used. */
export function createValidatingResolver(options: ValidatingResolverOptions): ValidatingResolver {
  const server = peerOf(options.server);
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

  /** Whole replies are cached, those without records too: to the cache each is one record found. */
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
    // DNS cannot carry it, so it cannot exist; and the packet would come out wrong.
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

function peerOf(text: string): DnsPeer {
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
  // Of a negative answer the SOA record says how long (RFC 2308 section 5).
  const ttls = [...answers, ...authorities].flatMap((record) => {
    if (record.type === 'SOA') return [Math.min(record.ttl ?? 0, record.data.minimum ?? 0)];
    return answers.includes(record) && 'ttl' in record ? [record.ttl ?? 0] : [];
  });
  return Math.min(...ttls) * 1000;
}

/** Where the aliases of a reply lead from `name`; null when they run in a circle or too far. */
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

// dns-packet decodes each type into one form, which its types give for unions only.

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
