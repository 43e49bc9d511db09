// Limits the DNS look-ups of one message's authentication in time and number, and adapts them to the package.
import { canonicalHost, type DnsAnswer, type MxRecord } from '../dns-answers/index.js';
import type { DnsResolver, LookUpOptions } from '../dns/index.js';

type LookUpType = 'TXT' | 'A' | 'AAAA' | 'MX' | 'PTR';
/** Returns records for MX and strings for everything else; TXT with its chunks joined. */
export type LookUp = (name: string, type: LookUpType) => Promise<DnsAnswer<string | MxRecord>>;

export interface LookUpLimits {
  /** Limit of one look-up. Default 3,000. */
  lookUpTimeoutMs?: number;
  /** Limit of all look-ups of a message. Default 8,000. */
  totalTimeoutMs?: number;
  /** Look-ups allowed per message. Default 100. */
  maxLookUps?: number;
}

const LOOK_UP_TYPES: readonly string[] = ['TXT', 'A', 'AAAA', 'MX', 'PTR'] satisfies LookUpType[];
const MAX_RECORDS = 100;
/** Longer records are dropped, because the package's patterns take quadratic time. */
const MAX_TXT = 4_096;

/** Adapts the program's resolver. */
export function lookUpWith(resolver: DnsResolver, options: LookUpOptions = {}): LookUp {
  return (name, type) => {
    switch (type) {
      case 'TXT':
        return resolver.txt(name, options);
      case 'A':
        return resolver.addresses(name, [4], options);
      case 'AAAA':
        return resolver.addresses(name, [6], options);
      case 'MX':
        return resolver.mx(name, options);
      case 'PTR':
        return resolver.ptr(name, options);
    }
  };
}

interface BoundLookUps {
  resolver: (name: string, type: string) => Promise<string[] | string[][]>;
  /** Names without an answer from DNS. */
  failedNames: ReadonlySet<string>;
  /**
   * Ends all waiting. Throws the error of a look-up that rejected, because the package mistakes it for a DNS
   * answer.
   */
  end: () => void;
}

/** Creates the look-ups of one message: each question is asked once, up to the limits of number and time. */
export function boundLookUps(
  resolve: LookUp,
  { lookUpTimeoutMs = 3_000, totalTimeoutMs = 8_000, maxLookUps = 100 }: LookUpLimits,
): BoundLookUps {
  const asked = new Map<string, Promise<DnsAnswer<string | MxRecord>>>();
  const failedNames = new Set<string>();
  const faults: unknown[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const timeOut = (afterMs: number): Promise<DnsAnswer<never>> =>
    new Promise((finish) => {
      timers.add(setTimeout(() => finish({ kind: 'failed', reason: 'timeout' }), afterMs));
    });
  const allOver = timeOut(totalTimeoutMs);
  const ask = (name: string, type: LookUpType): Promise<DnsAnswer<string | MxRecord>> => {
    const question = `${type} ${canonicalHost(name)}`;
    const known = asked.get(question);
    if (known !== undefined) return known;
    const answer: Promise<DnsAnswer<string | MxRecord>> =
      asked.size >= maxLookUps
        ? Promise.resolve({ kind: 'failed', reason: 'canceled' })
        : Promise.race([resolve(name, type), timeOut(lookUpTimeoutMs), allOver]);
    asked.set(question, answer);
    return answer;
  };
  return {
    failedNames,
    resolver: async (name, type) => {
      if (!LOOK_UP_TYPES.includes(type)) throw dnsError('ENODATA');
      const answer = await ask(name, type as LookUpType).catch((error: unknown) => {
        faults.push(error);
        throw error;
      });
      switch (answer.kind) {
        case 'found':
          return toNodeRecords(answer.records.slice(0, MAX_RECORDS), type);
        case 'no_name':
          throw dnsError('ENOTFOUND');
        case 'no_data':
          throw dnsError('ENODATA');
        case 'failed':
          failedNames.add(canonicalHost(name));
          // The only failure that the package always treats as temporary.
          throw dnsError('ETIMEOUT');
      }
    },
    end: () => {
      for (const timer of timers) clearTimeout(timer);
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** Converts records to the form of node:dns, which the package expects. */
function toNodeRecords(records: (string | MxRecord)[], type: string): string[] | string[][] {
  if (type === 'MX') {
    const hosts = records.flatMap((record) => (typeof record === 'string' ? [] : [record]));
    // The package declares strings only, but its SPF reads these.
    return hosts.map(({ exchange, preference }) => ({
      exchange,
      priority: preference,
    })) as unknown as string[];
  }
  const texts = records.filter((record) => typeof record === 'string');
  return type === 'TXT' ? texts.filter((text) => text.length <= MAX_TXT).map((text) => [text]) : texts;
}

function dnsError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
