// Replaces literal keys in the texts of many copies of a mail with the values of each copy, like other
// vendors' substitutions and recipient variables. Each text is read once, and the output and work of all
// copies together are bounded.

export type Values = readonly (readonly [key: string, value: string])[];
/** JSON data. All strings except member names are filled. */
export type Parts = Readonly<Record<string, unknown>>;

export interface Substitution {
  /** Parts of each copy that does not have its own. */
  common: Parts;
  copies: readonly { own?: Parts; values: Values }[];
}

/** Limits of all copies together. */
export interface SubstitutionBounds {
  /** Octets of the filled texts. */
  octets: number;
  work: number;
}

export interface SubstitutionExcess {
  kind: 'excess';
  excess: keyof SubstitutionBounds;
}

export type Substituted =
  | { kind: 'substituted'; copies: Record<string, unknown>[]; left: SubstitutionBounds }
  | SubstitutionExcess;

/** Code units by which keys are preselected. */
const HEAD = 2;
/**
 * Work units of each key, of each place where a key may be, and of a comparison there (plus the key's
 * length).
 */
const STEP = 64;
/** About a second of one core. */
export const MAX_SUBSTITUTION_WORK = 256 * 1024 * 1024;

class Excess extends Error {
  readonly excess: keyof SubstitutionBounds;

  constructor(excess: keyof SubstitutionBounds) {
    super(`too many ${excess}`);
    this.excess = excess;
  }
}

/**
 * Fills the copies. At the leftmost place, the longest matching key wins. Inserted values are not searched
 * for keys.
 */
export function substitute({ common, copies }: Substitution, bounds: SubstitutionBounds): Substituted {
  const left = { ...bounds };
  const spend: Spend = (kind, amount) => {
    left[kind] -= amount;
    if (left[kind] < 0) throw new Excess(kind);
  };
  try {
    const filled = copies.map(({ own = {}, values }) =>
      filledMembers({ ...common, ...own }, createFiller(values, spend), spend),
    );
    return { kind: 'substituted', copies: filled, left };
  } catch (error) {
    if (error instanceof Excess) return { kind: 'excess', excess: error.excess };
    throw error;
  }
}

type Spend = (kind: keyof SubstitutionBounds, amount: number) => void;
type Fill = (text: string) => string;

function filledMembers(members: object, fill: Fill, spend: Spend): Record<string, unknown> {
  const entries = Object.entries(members).map(([name, value]): [string, unknown] => {
    spend('octets', Buffer.byteLength(name));
    return [name, filledValue(value, fill, spend)];
  });
  return Object.fromEntries(entries);
}

function filledValue(value: unknown, fill: Fill, spend: Spend): unknown {
  spend('work', STEP);
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((one) => filledValue(one, fill, spend));
  return typeof value === 'object' && value !== null ? filledMembers(value, fill, spend) : value;
}

function createFiller(values: Values, spend: Spend): Fill {
  spend('work', values.length * STEP);
  const valueOf = new Map(values.filter(([key]) => key !== ''));
  const lengths = lengthsByHead(valueOf.keys());
  const units = new Set([...valueOf.keys()].map((key) => key.charCodeAt(0)));
  const firsts = new RegExp(`[${[...units].map(escaped).join('')}]`, 'g');
  const keyAt = (text: string, at: number): string | undefined => {
    spend('work', STEP);
    for (const length of lengths.get(text.slice(at, at + HEAD)) ?? []) {
      spend('work', STEP + length);
      const key = text.slice(at, at + length);
      if (valueOf.has(key)) return key;
    }
    return valueOf.has(text.charAt(at)) ? text.charAt(at) : undefined;
  };
  return (text) => {
    spend('octets', Buffer.byteLength(text));
    const pieces: string[] = [];
    let end = 0;
    firsts.lastIndex = 0;
    while (firsts.test(text)) {
      const at = firsts.lastIndex - 1;
      const key = keyAt(text, at);
      if (key === undefined) continue;
      const value = valueOf.get(key) ?? '';
      // Charged first, because a small request with a short key and a long value could fill all memory.
      spend('octets', Buffer.byteLength(value));
      pieces.push(text.slice(end, at), value);
      end = at + key.length;
      firsts.lastIndex = end;
    }
    return end === 0 ? text : pieces.join('') + text.slice(end);
  };
}

/** Returns the lengths of keys by their first two code units, longest first. Omits keys of one code unit. */
function lengthsByHead(keys: Iterable<string>): Map<string, number[]> {
  const byHead = new Map<string, Set<number>>();
  for (const key of keys) {
    if (key.length < HEAD) continue;
    const head = key.slice(0, HEAD);
    byHead.set(head, (byHead.get(head) ?? new Set()).add(key.length));
  }
  return new Map([...byHead].map(([head, lengths]) => [head, [...lengths].sort((a, b) => b - a)]));
}

/** Escapes a code unit for a character class of a regular expression. */
function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
