// Reads the control fields of submitted mail: the service's X-Service- fields, and those of other services. They are never passed
// on. A misspelled or unreadable field is refused, because a mistake in Send-At must not send the mail now.
import { MESSAGE_TYPES, PRIORITIES } from '../contract/names.js';
import type { FieldProblem } from '../contract/refusal.js';
import { MAX_TAGS, metadataProblem } from '../contract/schema.js';
import { lineProblem } from '../contract/plain-text.js';
import {
  addEntry,
  addMetadata,
  addTags,
  flag,
  nothingRequested,
  put,
  text,
  type Requested,
} from './requested.rules.js';
import { isVendorControl } from '../messages/relayed/vendor-controls.rules.js';
import { COMMON_SWITCH, readVendorField } from './vendor-headers.rules.js';

type RelayHeadersReading =
  | { kind: 'read'; values: Requested }
  /** Each names its field by `path`. */
  | { kind: 'refused'; problems: FieldProblem[] };

interface Field {
  name: string;
  /** On one line, encoded words decoded. */
  value: string;
}

const PREFIX = 'x-service-';
const METADATA_PREFIX = 'x-service-metadata-';
/** This server adds it when it sends. On submitted mail, it has no meaning. */
const OURS = 'x-service-ref';

const MAX_PROBLEMS = 20;
/** Fields that may be given several times. */
const REPEATED = ['x-service-tag', 'x-mailgun-tag', 'x-pm-tag'];

const SINGLE = {
  'x-service-type': readType,
  'x-service-priority': readPriority,
  'x-service-sub-tenant': text('subTenant'),
  'x-service-idempotency-key': text('idempotencyKey'),
  'x-service-send-at': text('sendAt'),
  'x-service-expires-at': text('expiresAt'),
  'x-service-require-tls': flag('requireTls'),
  'x-service-track-opens': flag('trackOpens'),
  'x-service-track-clicks': flag('trackClicks'),
  'x-service-metadata': addMetadata,
} as const;

const KNOWN = [...Object.keys(SINGLE), 'x-service-tag']
  .map((key) => key.slice('x-service'.length).replace(/-[a-z]/g, (start) => start.toUpperCase()))
  .join(', ');

/**
 * Reads the control fields of submitted mail, regardless of case, and ignores other fields. Tags can be in several fields, and
 * separated by commas in one. `X-Service-Metadata-Name: value` adds the text under `name` in lower case, because programs change
 * the case of field names; `X-Service-Metadata` takes a JSON object. `given` has the options that are set outside the header.
 */
export function readRelayHeaders(
  fields: readonly Field[],
  given: Partial<Requested> = {},
): RelayHeadersReading {
  const values = { ...nothingRequested(), ...structuredClone(given) };
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  for (const field of [...fields].sort(byRank)) {
    const key = field.name.toLowerCase();
    if (!isControl(key)) continue;
    const message =
      seen.has(key) && !REPEATED.includes(key)
        ? 'appears more than once'
        : readField(key, field.value, values);
    seen.add(key);
    if (message !== null && problems.length < MAX_PROBLEMS) problems.push({ path: field.name, message });
  }
  if (values.tags.length > MAX_TAGS) {
    problems.push({
      path: 'X-Service-Tag',
      message: `has ${values.tags.length} tags; the maximum is ${MAX_TAGS}`,
    });
  }
  const oversize = metadataProblem(values.metadata);
  if (oversize !== null) problems.push({ path: 'X-Service-Metadata', message: oversize });
  return problems.length > 0 ? { kind: 'refused', problems } : { kind: 'read', values };
}

/** Whether a field, named in lower case, controls the service or another one. */
function isControl(name: string): boolean {
  return (name.startsWith(PREFIX) && name !== OURS) || isVendorControl(name);
}

/**
 * Fields that must be read before or after all others: the object must not find a name in use, and single switches override the
 * common one.
 */
const RANKS: Readonly<Record<string, number>> = { 'x-service-metadata': -1, [COMMON_SWITCH]: 1 };

function byRank(a: Field, b: Field): number {
  const rank = ({ name }: Field): number => RANKS[name.toLowerCase()] ?? 0;
  return rank(a) - rank(b);
}

function readField(key: string, written: string, into: Requested): string | null {
  // A tab is what many programs fold with.
  const value = written.replaceAll('\t', ' ').trim();
  const problem = lineProblem(value);
  if (problem !== null) return problem;
  if (isVendorControl(key)) return readVendorField(key, value, into);
  if (key === 'x-service-tag') return addTags(value, into);
  if (key.startsWith(METADATA_PREFIX))
    return readMetadataItem(key.slice(METADATA_PREFIX.length), value, into);
  if (!isSingle(key)) return `is unknown; known headers are ${KNOWN}`;
  return value === '' ? 'is empty' : SINGLE[key](value, into);
}

function isSingle(key: string): key is keyof typeof SINGLE {
  return Object.hasOwn(SINGLE, key);
}

function readMetadataItem(name: string, value: string, into: Requested): string | null {
  if (name === '') return 'has an entry without a name';
  if (Object.hasOwn(into.metadata, name)) return 'also appears in X-Service-Metadata';
  return addEntry(name, value, into);
}

function readType(value: string, into: Requested): string | null {
  const type = MESSAGE_TYPES.find((one) => one === value.toLowerCase());
  return type === undefined ? `must be one of ${MESSAGE_TYPES.join(', ')}` : put(into, 'type', type);
}

function readPriority(value: string, into: Requested): string | null {
  const priority = PRIORITIES.find((one) => one === value.toLowerCase());
  return priority === undefined ? `must be one of ${PRIORITIES.join(', ')}` : put(into, 'priority', priority);
}
