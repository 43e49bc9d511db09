// Answers a question as an authoritative name server, from the records of a zone (RFC 1034 section 4.3.2,
// without recursion and delegations; negative answers RFC 2308 section 2).
import { canonicalHost, labelsBelow } from './dns-answer.rules.js';

interface RecordBase {
  /** Lower case, without a final dot. */
  name: string;
  ttlS: number;
}

export interface SoaRecord extends RecordBase {
  type: 'SOA';
  primary: string;
  /** A mailbox whose local part has no dots. */
  contact: string;
  /** Grows with each change (RFC 1982). */
  serial: number;
  refreshS: number;
  retryS: number;
  expireS: number;
  /** Time (s) for which others may cache that a name does not exist. */
  negativeS: number;
}

export type ZoneRecord =
  | (RecordBase & { type: 'A' | 'AAAA' | 'NS' | 'CNAME' | 'TXT'; value: string })
  | (RecordBase & { type: 'MX'; preference: number; exchange: string })
  | (RecordBase & { type: 'HINFO'; cpu: string; os: string })
  | SoaRecord;

/** `ANY` and the following are not record types. `other` is any unsupported type. */
export type ZoneQuestionType = ZoneRecord['type'] | 'ANY' | 'transfer' | 'other';

export interface ZoneQuestion {
  /** Without a final dot, with the letters as asked; octets that no host name contains as `\DDD`. */
  name: string;
  type: ZoneQuestionType;
}

export interface ZoneAnswer {
  /** All codes except `refused` are authoritative. */
  code: 'no_error' | 'no_name' | 'refused';
  answers: readonly ZoneRecord[];
  authorities: readonly ZoneRecord[];
  additionals: readonly ZoneRecord[];
}

interface ZoneContents {
  soa: SoaRecord;
  /** Records of every name at, above and below the question's, within the zone. */
  records: readonly ZoneRecord[];
}

export const REFUSED: ZoneAnswer = { code: 'refused', answers: [], authorities: [], additionals: [] };

/** Answers a question. Refuses names outside the zone and transfers. */
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

/** Returns the alias for every type except CNAME, with matching records of its target if they are known. */
function matching(
  here: readonly ZoneRecord[],
  type: ZoneQuestionType,
  records: readonly ZoneRecord[],
): ZoneRecord[] {
  const alias = here.find((record) => record.type === 'CNAME');
  if (alias?.type !== 'CNAME' || type === 'CNAME') return here.filter((record) => record.type === type);
  return [alias, ...at(canonicalHost(alias.value), records).filter((record) => record.type === type)];
}

/** Answers ANY with one small record (RFC 8482 section 4.2). */
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
