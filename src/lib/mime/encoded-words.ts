// Decodes encoded words in header text (RFC 2047, with the language suffix of RFC 2231 section 5) in any
// charset.
import { decodeCharset } from './charset.js';

interface Word {
  /** Lower case. */
  charset: string;
  /** Octets of adjacent words in one charset, because some mailers split a character between two words. */
  octets: Buffer[];
}

/**
 * Matches an encoded word. Blanks inside a word are illegal but occur. No part can contain its terminator, so
 * each character is visited once.
 */
const WORD = /=\?([^?\s]{1,64})\?([bq])\?([^?]*)\?=/gi;

/**
 * Decodes the encoded words in a text and removes blanks between them. The result may contain any character,
 * including line ends. Never throws; linear.
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
