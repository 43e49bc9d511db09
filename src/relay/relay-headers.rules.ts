// The X-Posthorn- fields of a submitted mail. They are read, never passed on. A field that is misspelt or
// cannot be read is refused: a mistake in Send-At must not send now.
import { MESSAGE_TYPES, PRIORITIES, type MessageType, type Priority } from '../contract/names.js';
import type { FieldProblem } from '../contract/refusal.js';
import { MAX_TAG, MAX_TAGS, metadataProblem } from '../contract/schema.js';
import { dataProblem, lineProblem } from '../messages/accept/plain-text.rules.js';

export interface RelayHeaders {
  tags: string[];
  metadata: Record<string, unknown>;
  /** Null, here and below: not said. */
  type: MessageType | null;
  priority: Priority | null;
  /** A sub-tenant's id (`tnt_…`), or its external id. */
  subTenant: string | null;
  idempotencyKey: string | null;
  /** As written; read like `send_at` and `expires_at` of the API. */
  sendAt: string | null;
  expiresAt: string | null;
  requireTls: boolean | null;
  trackOpens: boolean | null;
  trackClicks: boolean | null;
}

export type RelayHeadersReading =
  | { kind: 'read'; values: RelayHeaders }
  /** Each names its field by `path`. */
  | { kind: 'refused'; problems: FieldProblem[] };

interface Field {
  name: string;
  /** On one line, encoded words decoded. */
  value: string;
}

const PREFIX = 'x-posthorn-';
const METADATA_PREFIX = 'x-posthorn-metadata-';
/** Written by us on the way out; on mail that somebody sends on it means nothing. */
const OURS = 'x-posthorn-ref';

const MAX_TEXT = 255;
const MAX_PROBLEMS = 20;
const YES = ['true', 'yes', '1', 'on'];
const NO = ['false', 'no', '0', 'off'];

const SINGLE = {
  'x-posthorn-type': readType,
  'x-posthorn-priority': readPriority,
  'x-posthorn-sub-tenant': text('subTenant'),
  'x-posthorn-idempotency-key': text('idempotencyKey'),
  'x-posthorn-send-at': text('sendAt'),
  'x-posthorn-expires-at': text('expiresAt'),
  'x-posthorn-require-tls': flag('requireTls'),
  'x-posthorn-track-opens': flag('trackOpens'),
  'x-posthorn-track-clicks': flag('trackClicks'),
  'x-posthorn-metadata': readMetadata,
} as const;

const KNOWN = [...Object.keys(SINGLE), 'x-posthorn-tag']
  .map((key) => key.slice('x-posthorn'.length).replace(/-[a-z]/g, (start) => start.toUpperCase()))
  .join(', ');

/** Puts a value where it belongs, or says why it cannot be read. */
type Reader = (value: string, into: RelayHeaders) => string | null;

/**
 * Reads the fields of a submitted mail that start with `X-Posthorn-`, in any letter case; others are passed over. Tags may come
 * as several fields, and as several in one, separated by commas. `X-Posthorn-Metadata-Name: value` adds the text under `name` in
 * lower case, since programs change the case of field names; `X-Posthorn-Metadata` takes a JSON object.
 */
export function readRelayHeaders(fields: readonly Field[]): RelayHeadersReading {
  const values: RelayHeaders = {
    tags: [],
    metadata: {},
    type: null,
    priority: null,
    subTenant: null,
    idempotencyKey: null,
    sendAt: null,
    expiresAt: null,
    requireTls: null,
    trackOpens: null,
    trackClicks: null,
  };
  const problems: FieldProblem[] = [];
  const seen = new Set<string>();
  // The object first, so that it is the single values that find their names taken.
  for (const field of [...fields].sort(objectFirst)) {
    const key = field.name.toLowerCase();
    if (!key.startsWith(PREFIX) || key === OURS) continue;
    const message =
      seen.has(key) && key !== 'x-posthorn-tag' ? 'is given twice' : readField(key, field.value, values);
    seen.add(key);
    if (message !== null && problems.length < MAX_PROBLEMS) problems.push({ path: field.name, message });
  }
  if (values.tags.length > MAX_TAGS) {
    problems.push({
      path: 'X-Posthorn-Tag',
      message: `has ${values.tags.length} tags; ${MAX_TAGS} are allowed`,
    });
  }
  const oversize = metadataProblem(values.metadata);
  if (oversize !== null) problems.push({ path: 'X-Posthorn-Metadata', message: oversize });
  return problems.length > 0 ? { kind: 'refused', problems } : { kind: 'read', values };
}

function objectFirst(a: Field, b: Field): number {
  const rank = ({ name }: Field): number => (name.toLowerCase() === 'x-posthorn-metadata' ? 0 : 1);
  return rank(a) - rank(b);
}

function readField(key: string, written: string, into: RelayHeaders): string | null {
  // A tab is what many programs fold with.
  const value = written.replaceAll('\t', ' ').trim();
  const problem = lineProblem(value);
  if (problem !== null) return problem;
  if (key === 'x-posthorn-tag') return readTags(value, into);
  if (key.startsWith(METADATA_PREFIX))
    return readMetadataItem(key.slice(METADATA_PREFIX.length), value, into);
  if (!isSingle(key)) return `is not known; known are ${KNOWN}`;
  return value === '' ? 'is empty' : SINGLE[key](value, into);
}

function isSingle(key: string): key is keyof typeof SINGLE {
  return Object.hasOwn(SINGLE, key);
}

function readTags(value: string, into: RelayHeaders): string | null {
  for (const part of value.split(',')) {
    const tag = part.trim();
    if (tag === '' || into.tags.includes(tag)) continue;
    if (tag.length > MAX_TAG) return `has a tag of more than ${MAX_TAG} characters`;
    // One more than allowed tells that there are too many.
    if (into.tags.length <= MAX_TAGS) into.tags.push(tag);
  }
  return null;
}

function readMetadataItem(name: string, value: string, into: RelayHeaders): string | null {
  if (name === '') return 'names no entry';
  if (Object.hasOwn(into.metadata, name)) return 'is given in X-Posthorn-Metadata too';
  define(into.metadata, name, value);
  return null;
}

function readMetadata(value: string, into: RelayHeaders): string | null {
  const read = parseJson(value);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return 'is not a JSON object';
  const problem = dataProblem(read);
  if (problem !== null) return problem;
  for (const [name, item] of Object.entries(read)) define(into.metadata, name, item);
  return null;
}

/** An entry named `__proto__` is one like any other. */
function define(metadata: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(metadata, name, { value, enumerable: true, writable: true, configurable: true });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function readType(value: string, into: RelayHeaders): string | null {
  into.type = MESSAGE_TYPES.find((type) => type === value.toLowerCase()) ?? null;
  return into.type === null ? `must be one of ${MESSAGE_TYPES.join(', ')}` : null;
}

function readPriority(value: string, into: RelayHeaders): string | null {
  into.priority = PRIORITIES.find((priority) => priority === value.toLowerCase()) ?? null;
  return into.priority === null ? `must be one of ${PRIORITIES.join(', ')}` : null;
}

function text(name: 'subTenant' | 'idempotencyKey' | 'sendAt' | 'expiresAt'): Reader {
  return (value, into) => {
    if (value.length > MAX_TEXT) return `has more than ${MAX_TEXT} characters`;
    into[name] = value;
    return null;
  };
}

function flag(name: 'requireTls' | 'trackOpens' | 'trackClicks'): Reader {
  return (value, into) => {
    const word = value.toLowerCase();
    if (!YES.includes(word) && !NO.includes(word)) return 'must be true or false';
    into[name] = YES.includes(word);
    return null;
  };
}
