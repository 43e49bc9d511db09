// Wildcards: `On % wrote:` matches every line that begins with "on ", ends with " wrote:" and has anything between. A match
// costs one pass over the text, whatever the pattern and the text are. Safe regular expressions (safe-pattern.ts) cannot say the
// same: they bound a gap to 60 characters, and the line above a quote holds names, addresses and a date.

const MAX_PATTERN = 120;
const MAX_LINE = 512;
const ANYTHING = '%';

export interface Wildcard {
  /** Begins with `%`: the line may begin with anything. */
  isOpen: boolean;
  /** `line` is as `comparableLine` makes it. */
  fits(line: string): boolean;
}

/**
 * A line as it is compared: at most 512 characters, lower case, blanks of all kinds as one, none at the ends or before a
 * colon, without invisible characters and the asterisks of bold text.
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

/** Why the source is no wildcard, or null. */
export function wildcardProblem(source: string): string | null {
  if (source.length > MAX_PATTERN) return `must be at most ${MAX_PATTERN} characters long`;
  return comparableLine(source.replaceAll(ANYTHING, '')) === '' ? 'must have a word' : null;
}

/** Callers have asked `gapPatternProblem` before. */
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

/** The blanks around a `%` belong to the pattern. */
function comparablePiece(piece: string, index: number, all: readonly string[]): string {
  const words = comparableLine(piece);
  const before = index > 0 && piece.startsWith(' ') ? ' ' : '';
  const after = index < all.length - 1 && piece.trim() !== '' && piece.endsWith(' ') ? ' ' : '';
  return words === '' ? '' : `${before}${words}${after}`;
}
