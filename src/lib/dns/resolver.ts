// Resolves and caches DNS names (RFC 1035) with c-ares through node:dns, never with getaddrinfo, which shares
// the libuv pool with signing.
import { promises as dns, type RecordWithTtl } from 'node:dns';
import {
  type AddressFamily,
  canonicalHost,
  type DnsAnswer,
  type DnsFailure,
  type MxRecord,
} from '../dns-answers/index.js';
import { type Clock, rethrowProgrammingError } from '../runtime/index.js';
import { createAnswerCache, type Fetched, type ResolverStats } from './answer-cache.js';
import { reverseName } from './reverse-name.js';
import { parseDnsServer } from './servers.js';

const FAILURES: Record<string, DnsFailure> = {
  ETIMEOUT: 'timeout',
  ESERVFAIL: 'servfail',
  EREFUSED: 'refused',
  ECONNREFUSED: 'unreachable',
  EBADRESP: 'malformed',
  EFORMERR: 'malformed',
  ENOTIMP: 'malformed',
  ECANCELLED: 'canceled',
  EDESTRUCTION: 'canceled',
};

export interface ResolverOptions {
  /** `ip`, `ip:port` or `[v6]:port`; the system's servers if empty. */
  servers: readonly string[];
  /** Limit of the first try; c-ares doubles it for each further one. Default 5,000. */
  timeoutMs?: number;
  /** Tries per server. Default 3. */
  tries?: number;
  maxParallel?: number;
  /** Cached answers. Default 20,000. */
  cacheSize?: number;
  positiveTtlMs?: number;
  /** Lifetime of no_name and no_data; failures live at most 10 s. */
  negativeTtlMs?: number;
  clock: Clock;
}

export interface LookUpOptions {
  /** Ignores cached answers; the new answer is cached. */
  fresh?: boolean;
}

export interface DnsResolver {
  mx(name: string, options?: LookUpOptions): Promise<DnsAnswer<MxRecord>>;
  /**
   * Looks up A and AAAA as `families` say, in that order. Records of one family hide a failure of the other.
   */
  addresses(
    name: string,
    families: readonly AddressFamily[],
    options?: LookUpOptions,
  ): Promise<DnsAnswer<string>>;
  /** Returns one string per record, with its chunks joined. */
  txt(name: string, options?: LookUpOptions): Promise<DnsAnswer<string>>;
  ns(name: string, options?: LookUpOptions): Promise<DnsAnswer<string>>;
  cname(name: string, options?: LookUpOptions): Promise<DnsAnswer<string>>;
  /** Accepts a reverse name (`4.3.2.1.in-addr.arpa`) or an IP address. */
  ptr(nameOrAddress: string, options?: LookUpOptions): Promise<DnsAnswer<string>>;
  stats(): ResolverStats;
  /** Ends every question in progress with `failed`/`canceled`. */
  close(): void;
}

interface Records<T> {
  records: T[];
  /** The shortest TTL of the records, if Node reports it. */
  ttlMs?: number;
}

function answerOfError(error: unknown): DnsAnswer<never> {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  // A name that DNS cannot carry (an empty label, or one over 63 octets) cannot exist.
  if (code === 'ENOTFOUND' || code === 'EBADNAME') return { kind: 'no_name' };
  if (code === 'ENODATA') return { kind: 'no_data' };
  return { kind: 'failed', reason: FAILURES[code] ?? 'unknown' };
}

/** Decodes as UTF-8, because c-ares returns the bytes of TXT as Latin-1. */
function joinChunks(chunks: string[]): string {
  return Buffer.from(chunks.join(''), 'latin1').toString('utf8');
}

function shortestLife(records: RecordWithTtl[]): Records<string> {
  const ttlMs = Math.min(...records.map((record) => record.ttl)) * 1000;
  return { records: records.map((record) => record.address), ttlMs };
}

function mergeFamilies(answers: DnsAnswer<string>[]): DnsAnswer<string> {
  const records = answers.flatMap((answer) => (answer.kind === 'found' ? answer.records : []));
  if (records.length > 0) return { kind: 'found', records };
  const worst =
    answers.find((answer) => answer.kind === 'failed') ?? answers.find((answer) => answer.kind === 'no_data');
  return worst ?? answers[0] ?? { kind: 'no_data' };
}

async function fetchAnswer<T>(query: () => Promise<Records<T>>): Promise<Fetched<T>> {
  try {
    const { records, ttlMs = Infinity } = await query();
    return { answer: records.length > 0 ? { kind: 'found', records } : { kind: 'no_data' }, ttlMs };
  } catch (error) {
    rethrowProgrammingError(error);
    return { answer: answerOfError(error), ttlMs: Infinity };
  }
}

/** Creates a resolver. Throws an Error that quotes an invalid server address. */
export function createResolver(options: ResolverOptions): DnsResolver {
  const channel = new dns.Resolver({ timeout: options.timeoutMs ?? 5_000, tries: options.tries ?? 3 });
  if (options.servers.length > 0) channel.setServers(options.servers.map(parseDnsServer));
  const cache = createAnswerCache({
    size: options.cacheSize ?? 20_000,
    maxParallel: options.maxParallel ?? 128,
    positiveTtlMs: options.positiveTtlMs ?? 5 * 60_000,
    negativeTtlMs: options.negativeTtlMs ?? 60_000,
    clock: options.clock,
  });

  const ask = <T>(
    type: string,
    rawName: string,
    { fresh = false }: LookUpOptions,
    query: (name: string) => Promise<Records<T>>,
  ): Promise<DnsAnswer<T>> => {
    const name = canonicalHost(rawName);
    return cache.ask(`${type} ${name}`, fresh, () => fetchAnswer(() => query(name)));
  };

  const family = (name: string, which: AddressFamily, lookUp: LookUpOptions): Promise<DnsAnswer<string>> =>
    which === 4
      ? ask('A', name, lookUp, async (n) => shortestLife(await channel.resolve4(n, { ttl: true })))
      : ask('AAAA', name, lookUp, async (n) => shortestLife(await channel.resolve6(n, { ttl: true })));

  return {
    mx: (name, lookUp = {}) =>
      ask('MX', name, lookUp, async (n) => ({
        records: (await channel.resolveMx(n)).map(({ exchange, priority }) => ({
          exchange: canonicalHost(exchange),
          preference: priority,
        })),
      })),
    addresses: async (name, families, lookUp = {}) =>
      mergeFamilies(await Promise.all(families.map((which) => family(name, which, lookUp)))),
    txt: (name, lookUp = {}) =>
      ask('TXT', name, lookUp, async (n) => ({ records: (await channel.resolveTxt(n)).map(joinChunks) })),
    ns: (name, lookUp = {}) =>
      ask('NS', name, lookUp, async (n) => ({ records: (await channel.resolveNs(n)).map(canonicalHost) })),
    cname: (name, lookUp = {}) =>
      ask('CNAME', name, lookUp, async (n) => ({
        records: (await channel.resolveCname(n)).map(canonicalHost),
      })),
    ptr: (name, lookUp = {}) =>
      ask('PTR', reverseName(name), lookUp, async (n) => ({
        records: (await channel.resolvePtr(n)).map(canonicalHost),
      })),
    stats: () => cache.stats(),
    close: () => channel.cancel(),
  };
}
