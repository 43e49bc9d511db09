// Simulated DNS: zones that customers write by hand, Mailkeel's own zone as Mailkeel serves it, and resolvers that cache answers
// for their TTL, by a clock that the test moves.
import type { CheckedRecord, RecordCheck } from '../../src/domains/check-records.js';
import type { DnsAnswer } from '../../src/lib/dns-answers/index.js';
import { judgeRecord, type ExpectedRecord } from '../../src/domains/dns-records.rules.js';
import type { Clock } from '../../src/lib/runtime/index.js';
import type { Zone } from '../../src/domains/zone/zone.js';

type Type = 'TXT' | 'CNAME';
interface Said {
  texts: string[];
  /** The queried name is an alias of this one. */
  alias: string | null;
  ttlMs: number;
}

const NEGATIVE_MS = 3_600_000;
const MAX_ALIASES = 5;

export interface SimulatedDns {
  /** Answers of customers' own name servers, by name. */
  records: Map<string, { type: Type; value: string; ttlMs: number }>;
  /** Without a cache. */
  authority(name: string, type: Type): Promise<Said>;
  /** A resolver with its own cache. */
  resolver(): SimulatedResolver;
}

export interface SimulatedResolver {
  txt(name: string): Promise<DnsAnswer<string>>;
}

export function createSimulatedDns(ours: { zone: Zone; apex: string }, clock: Clock): SimulatedDns {
  const records: SimulatedDns['records'] = new Map();

  async function authority(name: string, type: Type): Promise<Said> {
    if (name.endsWith(`.${ours.apex}`)) {
      const { answers, authorities } = await ours.zone.answer({ name, type });
      const texts = answers.flatMap((record) => (record.type === type ? [record.value] : []));
      const ttlS = (answers.length > 0 ? answers : authorities)[0]?.ttlS ?? 0;
      return { texts, alias: null, ttlMs: ttlS * 1000 };
    }
    const found = records.get(name);
    if (!found) return { texts: [], alias: null, ttlMs: NEGATIVE_MS };
    if (found.type === type) return { texts: [found.value], alias: null, ttlMs: found.ttlMs };
    return { texts: [], alias: found.type === 'CNAME' ? found.value : null, ttlMs: found.ttlMs };
  }

  function resolver(): SimulatedResolver {
    const heard = new Map<string, { said: Said; until: number }>();
    async function ask(name: string): Promise<Said> {
      const known = heard.get(name);
      if (known && known.until > clock()) return known.said;
      const said = await authority(name, 'TXT');
      heard.set(name, { said, until: clock() + said.ttlMs });
      return said;
    }
    return {
      async txt(name) {
        let said = await ask(name);
        for (let left = MAX_ALIASES; said.alias !== null && left > 0; left--) said = await ask(said.alias);
        return answerOf(said.texts);
      },
    };
  }

  return { records, authority, resolver };
}

function answerOf(texts: string[]): DnsAnswer<string> {
  return texts.length > 0 ? { kind: 'found', records: texts } : { kind: 'no_data' };
}

/**
 * Checks as Mailkeel does: at a domain's own servers, and at a resolver for names behind an alias. `fails` decides for each
 * lookup whether it gets no response.
 */
export function createSimulatedCheck(dns: SimulatedDns, fails: () => boolean): RecordCheck {
  const resolver = dns.resolver();
  async function look(record: ExpectedRecord): Promise<CheckedRecord> {
    if (record.type === 'MX') return { ...record, status: 'missing', found: [] };
    if (fails())
      return {
        ...record,
        ...judgeRecord(record, { type: record.type, answer: { kind: 'failed', reason: 'servfail' } }),
      };
    const { texts, alias } = await dns.authority(record.host, record.type);
    const answer = alias === null ? answerOf(texts) : await resolver.txt(record.host);
    return { ...record, ...judgeRecord(record, { type: record.type, answer }) };
  }
  return { lookUpRecords: (_domain, records) => Promise.all(records.map(look)) };
}
