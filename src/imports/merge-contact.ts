// What becomes of a contact when a row of an import names it: given fields overwrite, tags are added, metadata is merged
// key by key. Whoever is not to be written to stays so.
import { MAX_TAGS, metadataProblem } from '../contract/schema.js';
import type { Contact } from '../contacts/audience.store.js';
import type { RowProblem, WantedContact } from './contact-row.js';

/** The columns that an import writes. */
export type ImportedContact = Pick<Contact, 'name' | 'phone' | 'tags' | 'metadata' | 'status'>;

const NEW: ImportedContact = { name: null, phone: null, tags: '[]', metadata: '{}', status: 'active' };

/** The contact as it then is; `known` is null for a new one. */
export function mergeContact(
  known: ImportedContact | null,
  wanted: WantedContact,
  extraTags: readonly string[],
): ImportedContact | RowProblem {
  const before = known ?? NEW;
  const had = JSON.parse(before.tags) as string[];
  const tags = [...new Set([...had, ...wanted.tags, ...extraTags])];
  if (tags.length > MAX_TAGS && tags.length > had.length) {
    return { problem: `The contact would have more than ${MAX_TAGS} tags.` };
  }
  const merged = mergedMetadata(before.metadata, wanted.metadata);
  if (typeof merged !== 'string') return merged;
  return {
    name: wanted.name ?? before.name,
    phone: wanted.phone ?? before.phone,
    tags: tags.length === had.length ? before.tags : JSON.stringify(tags),
    metadata: merged,
    status: before.status === 'active' ? (wanted.status ?? 'active') : before.status,
  };
}

function mergedMetadata(before: string, given: Record<string, unknown>): string | RowProblem {
  const entries = Object.entries(given);
  if (entries.length === 0) return before;
  const had = JSON.parse(before) as Record<string, unknown>;
  // From entries, so that no key means anything to the object itself.
  const value = Object.fromEntries([...Object.entries(had), ...entries]);
  const problem = metadataProblem(value);
  return problem === null ? JSON.stringify(value) : { problem: `metadata ${problem}.` };
}

export function isSame(a: ImportedContact, b: ImportedContact): boolean {
  return (
    a.name === b.name &&
    a.phone === b.phone &&
    a.tags === b.tags &&
    a.metadata === b.metadata &&
    a.status === b.status
  );
}
