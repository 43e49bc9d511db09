// Matches lines by wildcards: `On % wrote:` matches every line that begins with "on " and ends with "
// wrote:". A match takes one pass over the text for any pattern. Safe regular expressions (safe-pattern.ts)
// limit a gap to 60 characters, but the line above a quote contains names, addresses and a date.

const MAX_PATTERN = 120;
const MAX_LINE = 512;
const ANYTHING = '%';

export interface Wildcard {
  /** Begins with `%`, so the line may begin with anything. */
  isOpen: boolean;
  /** Returns whether a line in the form of `comparableLine` matches. */
  fits(line: string): boolean;
}

/**
 * Normalizes a line for comparison: at most 512 characters, lower case, single blanks, none at either end or
 * before a colon, no invisible characters and no asterisks of bold text.
 */
export function comparableLine(text: string): string {
  return text
    .slice(0, MAX_LINE)
    .replace(/[\p{Cc}\p{Z}\s]/gu, ' ')
    .replace(/[*\p{Cf}]/gu, '')
    .replaceAll('：', ':')
    .replaceAll('’', "'")
    .replace(/ {2,}/g, ' ')
    .replaceAll(' :', ':')
    .trim()
    .toLowerCase();
}

/** Returns why the source is not a wildcard, or `null`. */
export function wildcardProblem(source: string): string | null {
  if (source.length > MAX_PATTERN) return `must be at most ${MAX_PATTERN} characters long`;
  return comparableLine(source.replaceAll(ANYTHING, '')) === '' ? 'must have a word' : null;
}

/** Compiles a wildcard that `wildcardProblem` has accepted. */
export function compileWildcard(source: string): Wildcard {
  const isOpen = source.startsWith(ANYTHING);
  const pieces = source.split(ANYTHING).map(comparablePiece);
  const first = pieces.shift() ?? '';
  const last = pieces.pop();
  const middle = pieces.filter((piece) => piece !== '');
  return {
    isOpen,
    fits(line) {
      if (last === undefined) return line === first;
      if (!line.startsWith(first) || !line.endsWith(last)) return false;
      const end = line.length - last.length;
      let at = first.length;
      for (const piece of middle) {
        const found = line.indexOf(piece, at);
        if (found < 0) return false;
        at = found + piece.length;
      }
      return at <= end;
    },
  };
}

/** Normalizes a piece but keeps the blanks around `%`. */
function comparablePiece(piece: string, index: number, all: readonly string[]): string {
  const words = comparableLine(piece);
  const before = index > 0 && piece.startsWith(' ') ? ' ' : '';
  const after = index < all.length - 1 && piece.trim() !== '' && piece.endsWith(' ') ? ' ' : '';
  return words === '' ? '' : `${before}${words}${after}`;
}
