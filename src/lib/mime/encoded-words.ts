// Reading encoded words of header text (RFC 2047), in whatever charset they name; the language suffix of RFC 2231 section 5.
import { decodeCharset } from './charset.js';

interface Word {
  /** Lower case. */
  charset: string;
  /** Of neighbours in one charset: some mailers divide a character between two words. */
  octets: Buffer[];
}

/** Blanks within a word are against the rule, and sent. No part may hold what ends it, so each character is passed over once. */
const WORD = /=\?([^?\s]{1,64})\?([bq])\?([^?]*)\?=/gi;

/**
 * Text with its encoded words decoded; blanks between two of them fall away. What comes out may hold any character, line
 * ends included. Never throws; linear.
 */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text;
  const pieces: (string | Word)[] = [];
  let at = 0;
  for (const match of text.matchAll(WORD)) {
    const [whole, label = '', encoding = '', content = ''] = match;
    const charset = label.replace(/\*.*$/, '').toLowerCase();
    const octets = encoding.toUpperCase() === 'B' ? Buffer.from(content, 'base64') : decodeQ(content);
    addWord(pieces, text.slice(at, match.index), { charset, octets: [octets] });
    at = match.index + whole.length;
  }
  pieces.push(text.slice(at));
  return pieces
    .map((piece) =>
      typeof piece === 'string' ? piece : decodeCharset(Buffer.concat(piece.octets), piece.charset),
    )
    .join('');
}

function addWord(pieces: (string | Word)[], between: string, word: Word): void {
  const last = pieces.at(-1);
  if (typeof last !== 'object' || between.trim() !== '') pieces.push(between, word);
  else if (last.charset === word.charset) last.octets.push(...word.octets);
  else pieces.push(word);
}

function decodeQ(content: string): Buffer {
  const octets = content
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(octets, 'latin1');
}
