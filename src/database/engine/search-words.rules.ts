// Splits texts and search requests into words, for the full-text search of threads. Words are lower case without diacritics. Scripts
// that are written without spaces have no words to split at, so each pair of neighboring characters is one.
/** Words that follow each other. */
export interface Phrase {
  words: readonly string[];
  /** Whether the last word may continue. */
  isPrefix: boolean;
}

/** Longer words are cut. */
const MAX_WORD = 40;
/** A shorter word matches only itself, because too many words begin with it. */
const MIN_PREFIX = 3;
const MAX_PHRASES = 20;

/** Letters that have no decomposition, and the final sigma. */
const FOLDED: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ς: 'σ' },
};
const FOLDABLE = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g');
const WITHOUT_SPACES =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー';
const RUN = new RegExp(`[${WITHOUT_SPACES}]+|(?:(?![${WITHOUT_SPACES}])[\\p{L}\\p{N}])+`, 'gu');
const IS_WITHOUT_SPACES = new RegExp(`^[${WITHOUT_SPACES}]`, 'u');

function foldText(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase();
  return bare.replace(FOLDABLE, (letter) => FOLDED[letter] ?? letter);
}

export function wordsOf(text: string): string[] {
  return runsOf(text).flatMap((run) => {
    const characters = Array.from(run);
    if (!IS_WITHOUT_SPACES.test(run)) return [characters.slice(0, MAX_WORD).join('')];
    return characters.map((one, i) => one + (characters[i + 1] ?? ''));
  });
}

function runsOf(text: string): string[] {
  return foldText(text).match(RUN) ?? [];
}

/**
 * Reads a search request: words, and phrases in double quotes. Characters within a word that are neither letters nor digits make it
 * a phrase, such as an address. The last word may be incomplete. Returns [] if there is no word.
 */
export function readSearch(q: string): Phrase[] {
  const phrases: Phrase[] = [];
  const end = q.trimEnd().length;
  for (const { 0: whole, 1: quoted, 2: bare = '', index } of q.matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const isLast = quoted === undefined && index + whole.length === end;
    const phrase = phraseOf(quoted ?? bare, isLast);
    if (phrase.words.length > 0) phrases.push(phrase);
  }
  return phrases.slice(0, MAX_PHRASES);
}

function phraseOf(text: string, isIncomplete: boolean): Phrase {
  const runs = runsOf(text);
  const words = runs.flatMap((run, i) => {
    const found = wordsOf(run);
    // The last of several pairs is one character alone, which has a different next one in the middle of a text.
    return IS_WITHOUT_SPACES.test(run) && found.length > 1 && i === runs.length - 1
      ? found.slice(0, -1)
      : found;
  });
  const last = words.at(-1) ?? '';
  const isOpen = IS_WITHOUT_SPACES.test(last) || (isIncomplete && last.length >= MIN_PREFIX);
  return { words, isPrefix: isOpen };
}
