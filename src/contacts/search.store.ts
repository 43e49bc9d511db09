// The search index for parts of addresses and names, and its queries (engine/engine.ts): pieces
// of three letters. Two marks before the address and each word of the name make pieces that hold only its beginning.

/** The private use area begins here: nobody's name has these letters, and no folding of case touches them. */
const PRIVATE_LETTERS = 0xe000;
const LETTER_BITS = 12;
const LETTER_MASK = (1 << LETTER_BITS) - 1;
/** Ends the environment's id. */
const ENVIRONMENT_END = '\uF8FF';
const WORD_START = '\uF8FD\uF8FE';
const PIECE = 3;
/** More pieces find nothing more: a hit is looked at again in its row. */
const PIECE_LIMIT = 12;

/** The contact's text, led by its environment. */
export function searchText(environmentId: number, emailKey: string, name: string | null): string {
  const words = (name ?? '').replaceAll(' ', ` ${WORD_START}`);
  return `${environmentMark(environmentId)}${WORD_START}${emailKey} ${WORD_START}${words}`;
}

/** The contacts of the environment that have all pieces of `q`; null when it has none. */
export function searchPattern(environmentId: number, q: string): string | null {
  const pieces = new Set<string>();
  for (const [i, word] of q.trim().split(' ').entries()) {
    if (word === '') continue;
    // A search text may begin within a word, unless it is too short to be found there.
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
