// The answer of an authoritative name server to one question, from the records of the names around it (RFC 1034 section 4.3.2
// without recursion and delegations; RFC 2308 section 2 for what is not there).
import { canonicalHost, labelsBelow } from './dns-answer.rules.js';

interface RecordBase {
  /** Lower case, without a final dot. */
  name: string;
  ttlS: number;
}

export interface SoaRecord extends RecordBase {
  type: 'SOA';
  primary: string;
  /** A mailbox, its local part without dots. */
  contact: string;
  /** RFC 1982: it grows with each change. */
  serial: number;
  refreshS: number;
  retryS: number;
  expireS: number;
  /** Time (s) that others may cache that a name does not exist. */
  negativeS: number;
}

export type ZoneRecord =
  | (RecordBase & { type: 'A' | 'AAAA' | 'NS' | 'CNAME' | 'TXT'; value: string })
  | (RecordBase & { type: 'MX'; preference: number; exchange: string })
  | (RecordBase & { type: 'HINFO'; cpu: string; os: string })
  | SoaRecord;

/** `ANY` and what follows it are no types of records. `other`: a type that nothing here has. */
export type ZoneQuestionType = ZoneRecord['type'] | 'ANY' | 'transfer' | 'other';

export interface ZoneQuestion {
  /** Without a final dot, letters as they were asked; an octet that no host name has as `\DDD`. */
  name: string;
  type: ZoneQuestionType;
}

export interface ZoneAnswer {
  /** Anything but `refused` is said with authority. */
  code: 'no_error' | 'no_name' | 'refused';
  answers: readonly ZoneRecord[];
  authorities: readonly ZoneRecord[];
  additionals: readonly ZoneRecord[];
}

export interface ZoneContents {
  soa: SoaRecord;
  /** Of every name at, above and below the one that is asked for, within the zone. */
  records: readonly ZoneRecord[];
}

export const REFUSED: ZoneAnswer = { code: 'refused', answers: [], authorities: [], additionals: [] };

/** Refuses what is outside of the zone, and to hand the zone out. */
export function answerFromZone(question: ZoneQuestion, { soa, records }: ZoneContents): ZoneAnswer {
  const name = canonicalHost(question.name);
  if (labelsBelow(name, soa.name) === null || question.type === 'transfer') return REFUSED;
  const here = at(name, [soa, ...records]);
  if (here.length === 0) {
    const isThere = records.some((record) => record.name.endsWith(`.${name}`));
    return { code: isThere ? 'no_error' : 'no_name', answers: [], authorities: [soa], additionals: [] };
  }
  const answers = question.type === 'ANY' ? [anyAnswer(name, soa)] : matching(here, question.type, records);
  const authorities = answers.length === 0 ? [soa] : [];
  return { code: 'no_error', answers, authorities, additionals: addressesFor(answers, records) };
}

function at(name: string, records: readonly ZoneRecord[]): ZoneRecord[] {
  return records.filter((record) => record.name === name);
}

/** An alias stands for every type but its own; what it leads to is added as far as it is known here. */
function matching(
  here: readonly ZoneRecord[],
  type: ZoneQuestionType,
  records: readonly ZoneRecord[],
): ZoneRecord[] {
  const alias = here.find((record) => record.type === 'CNAME');
  if (alias?.type !== 'CNAME' || type === 'CNAME') return here.filter((record) => record.type === type);
  return [alias, ...at(canonicalHost(alias.value), records).filter((record) => record.type === type)];
}

/** RFC 8482 section 4.2: one small record instead of all. */
function anyAnswer(name: string, { ttlS }: SoaRecord): ZoneRecord {
  return { type: 'HINFO', name, ttlS, cpu: 'RFC8482', os: '' };
}

function addressesFor(answers: readonly ZoneRecord[], records: readonly ZoneRecord[]): ZoneRecord[] {
  const hosts = new Set(
    answers.flatMap((record) => {
      if (record.type === 'MX') return [canonicalHost(record.exchange)];
      return record.type === 'NS' ? [canonicalHost(record.value)] : [];
    }),
  );
  return records.filter(({ type, name }) => (type === 'A' || type === 'AAAA') && hosts.has(name));
}
