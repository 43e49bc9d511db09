// The search index for parts of addresses and names (engine/engine.ts), which contains pieces of three letters. Two marks
// before the address and before each word of the name make pieces that only match its beginning.

/** Start of Unicode's private use area. Names don't contain these characters, and case folding does not change them. */
const PRIVATE_LETTERS = 0xe000;
const LETTER_BITS = 12;
const LETTER_MASK = (1 << LETTER_BITS) - 1;
/** Marks the end of the environment's id. */
const ENVIRONMENT_END = '\uF8FF';
const WORD_START = '\uF8FD\uF8FE';
const PIECE = 3;
/** Largest number of pieces in a query. Matches are checked again in their rows, so more are not needed. */
const PIECE_LIMIT = 12;

/** Builds the indexed text of a contact, which begins with its environment. */
export function searchText(environmentId: number, emailKey: string, name: string | null): string {
  const words = (name ?? '').replaceAll(' ', ` ${WORD_START}`);
  return `${environmentMark(environmentId)}${WORD_START}${emailKey} ${WORD_START}${words}`;
}

/** Builds the query for contacts of the environment with all pieces of `q`; `null` if `q` is too short to have any. */
export function searchPattern(environmentId: number, q: string): string | null {
  const pieces = new Set<string>();
  for (const [i, word] of q.trim().split(' ').entries()) {
    if (word === '') continue;
    // A search text can match the middle of a word, unless it is shorter than a piece.
    const isStart = i > 0 || (word.length < PIECE && !q.trim().includes(' '));
    for (const piece of piecesOf(isStart ? WORD_START + word : word)) pieces.add(piece);
  }
  if (pieces.size === 0) return null;
  return [environmentMark(environmentId), ...[...pieces].slice(0, PIECE_LIMIT)].map(quoted).join(' AND ');
}

function piecesOf(text: string): string[] {
  const letters = Array.from(text);
  return letters.slice(PIECE - 1).map((_, i) => letters.slice(i, i + PIECE).join(''));
}

function environmentMark(number: number): string {
  const high = PRIVATE_LETTERS + ((number >> LETTER_BITS) & LETTER_MASK);
  return String.fromCharCode(high, PRIVATE_LETTERS + (number & LETTER_MASK)) + ENVIRONMENT_END;
}

function quoted(piece: string): string {
  return `"${piece.replaceAll('"', '""')}"`;
}
