// An entry that an import reads from its body: an address, or its problem.

export interface ReadableEntry {
  /** From 1; in a JSON array the number of the item. */
  line: number;
  email: string;
  /** As it stands there; '' where there is none. */
  reason: string;
  /** '' for whom the importing key speaks. */
  subTenantId: string;
}

export interface BrokenEntry {
  line: number;
  /** Text in the place of the address; null when there is none. */
  email: string | null;
  /** A sentence. */
  problem: string;
}

export type ImportEntry = ReadableEntry | BrokenEntry;

/** Entries a few at a time, in the body's order. Throws a Refusal when the body as a whole cannot be read on. */
export type ImportEntries = AsyncIterable<readonly ImportEntry[]>;

/** Longest line or item; no address with all its fields needs as much. */
export const MAX_ENTRY_BYTES = 4096;
export const TOO_LONG = `It is longer than ${MAX_ENTRY_BYTES} octets.`;
