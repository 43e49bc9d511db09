// Collects the options that the control fields of a submitted mail request.
import type { MessageType, Priority } from '../contract/names.js';
import { MAX_TAG, MAX_TAGS } from '../contract/schema.js';
import { dataProblem } from '../contract/plain-text.js';

export interface Requested {
  tags: string[];
  metadata: Record<string, unknown>;
  /** `null` here and below if no field sets it. */
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

/** Adds a value to the options, or returns the problem with it. */
export type Reader = (value: string, into: Requested) => string | null;

type Single = Exclude<keyof Requested, 'tags' | 'metadata'>;

const MAX_TEXT = 255;
const YES = ['true', 'yes', '1', 'on'];
const NO = ['false', 'no', '0', 'off'];

export function nothingRequested(): Requested {
  return {
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
}

/** Sets a value that no other field has set differently. */
export function put<Name extends Single>(
  into: Requested,
  name: Name,
  value: NonNullable<Requested[Name]>,
): string | null {
  if (into[name] !== null && into[name] !== value) return 'contradicts another field';
  if (typeof value === 'string' && value.length > MAX_TEXT) return `has more than ${MAX_TEXT} characters`;
  into[name] = value;
  return null;
}

/** Adds a tag once. One tag beyond the limit is kept to show that there are too many. */
export function addTag(into: Requested, written: string): string | null {
  const tag = written.trim();
  if (tag === '' || into.tags.includes(tag)) return null;
  if (tag.length > MAX_TAG) return `has a tag of more than ${MAX_TAG} characters`;
  if (into.tags.length <= MAX_TAGS) into.tags.push(tag);
  return null;
}

/** Adds tags with commas between them. */
export function addTags(value: string, into: Requested): string | null {
  return firstProblem(value.split(','), (tag) => addTag(into, tag));
}

/** Adds the entries of a JSON object to the metadata. */
export function addMetadata(value: string, into: Requested): string | null {
  const read = parseJsonObject(value);
  if (read === null) return 'is not a JSON object';
  return addEntries(read, into);
}

export function addEntries(entries: Readonly<Record<string, unknown>>, into: Requested): string | null {
  return (
    dataProblem(entries) ??
    firstProblem(Object.entries(entries), ([name, item]) => addEntry(name, item, into))
  );
}

/** Adds an entry; one named `__proto__` is like any other. */
export function addEntry(name: string, value: unknown, into: Requested): string | null {
  if (Object.hasOwn(into.metadata, name) && into.metadata[name] !== value) {
    return `sets ${name.slice(0, 60)}, which another field also sets`;
  }
  Object.defineProperty(into.metadata, name, { value, enumerable: true, writable: true, configurable: true });
  return null;
}

/** Parses a JSON object; `null` for any other text. */
export function parseJsonObject(json: string): Record<string, unknown> | null {
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  return typeof read === 'object' && read !== null && !Array.isArray(read)
    ? (read as Record<string, unknown>)
    : null;
}

/** Parses yes or no in any common spelling; `null` for other words. */
export function parseFlag(value: string): boolean | null {
  const word = value.toLowerCase();
  return YES.includes(word) ? true : NO.includes(word) ? false : null;
}

export function flag(name: 'requireTls' | 'trackOpens' | 'trackClicks'): Reader {
  return (value, into) => {
    const isOn = parseFlag(value);
    return isOn === null ? 'must be true or false' : put(into, name, isOn);
  };
}

export function text(name: 'subTenant' | 'idempotencyKey' | 'sendAt' | 'expiresAt'): Reader {
  return (value, into) => put(into, name, value);
}

/** The first problem that a check finds in a list. */
export function firstProblem<Item>(
  items: readonly Item[],
  check: (item: Item) => string | null,
): string | null {
  for (const item of items) {
    const problem = check(item);
    if (problem !== null) return problem;
  }
  return null;
}
