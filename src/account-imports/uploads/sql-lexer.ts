// Splits a dump of PostgreSQL or MariaDB into tokens as it arrives. Tokens may be larger than a window, and the content of unused
// tokens is skipped without being stored.

export type SqlDialect = 'postgresql' | 'mysql';
/** A keyword, number or plain name; a quoted name; a string; a character of punctuation; a line of COPY data. */
export type TokenKind = 'word' | 'name' | 'text' | 'sign' | 'copied';

/** Takes the tokens. */
export interface TokenSink {
  /** Whether the content of the next token is read. */
  readonly wantsContent: boolean;
  /** `text` is empty unless the content was wanted. */
  take(kind: TokenKind, text: string): void;
  /** Whether data of COPY follows the line of the last token. */
  readonly isCopyNext: boolean;
}

/** Longest token that is kept, and the largest number of pieces of the file that it may be in. */
export const MAX_TOKEN_BYTES = 16 * 1024 * 1024;
const MAX_PARTS = 100_000;

const [LF, QUOTE, DOUBLE, BACKTICK, BACKSLASH] = [0x0a, 0x27, 0x22, 0x60, 0x5c];
const [DASH, SLASH, STAR, HASH, DOLLAR] = [0x2d, 0x2f, 0x2a, 0x23, 0x24];
/** Parentheses, comma and semicolon; everything else that is not blank belongs to words. */
const SIGNS = new Set([0x28, 0x29, 0x2c, 0x3b]);
const SEMICOLON = 0x3b;
const END_OF_COPY = '\\.';

type Mode =
  | { at: 'code' }
  | { at: 'word' }
  /** Ends with `quote`, which is doubled inside. */
  | { at: 'quoted'; quote: number; hasEscapes: boolean }
  | { at: 'line' }
  | { at: 'comment' }
  | { at: 'dollar'; tag: Buffer }
  /** The rest of the line before the data of COPY. */
  | { at: 'copy_begins' }
  | { at: 'copy' };

const CODE: Mode = { at: 'code' };

export class TokenTooLong extends Error {}

export class SqlLexer {
  readonly #dialect: SqlDialect;
  readonly #sink: TokenSink;
  #mode: Mode = CODE;
  /** Octets of the current token. */
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #isKeeping = false;
  /** Octets that cannot be judged before the next piece. */
  #rest = Buffer.alloc(0);

  constructor(dialect: SqlDialect, sink: TokenSink) {
    this.#dialect = dialect;
    this.#sink = sink;
  }

  /** Throws TokenTooLong. */
  feed(piece: Uint8Array, isLast: boolean): void {
    const window = this.#rest.length === 0 ? Buffer.from(piece) : Buffer.concat([this.#rest, piece]);
    let at = 0;
    while (at < window.length) {
      const next = this.#step(window, at, isLast);
      if (next < 0) break;
      at = next;
    }
    this.#rest = window.subarray(at);
    if (isLast && this.#mode.at === 'word') this.#end('word');
  }

  /** Returns the place after the octets that it took, or -1 to wait for more. */
  #step(window: Buffer, at: number, isLast: boolean): number {
    const mode = this.#mode;
    switch (mode.at) {
      case 'code':
        return this.#code(window, at, isLast);
      case 'word':
        return this.#word(window, at);
      case 'quoted':
        return this.#quoted(window, at, { ...mode, isLast });
      case 'line':
        return this.#skipTo(window, window.indexOf(LF, at), 1);
      case 'comment':
        return this.#skipPast(window, at, Buffer.from('*/'), isLast);
      case 'dollar':
        return this.#skipPast(window, at, mode.tag, isLast);
      case 'copy_begins': {
        const end = window.indexOf(LF, at);
        if (end >= 0) this.#begin({ at: 'copy' });
        return end < 0 ? window.length : end + 1;
      }
      case 'copy':
        return this.#copied(window, at);
    }
  }

  #code(window: Buffer, at: number, isLast: boolean): number {
    const octet = window[at] ?? 0;
    if (octet <= 0x20) return at + 1;
    const following = window[at + 1];
    const mayBeLong = octet === DASH || octet === SLASH || octet === DOLLAR;
    if (mayBeLong && following === undefined && !isLast) return -1;
    const isComment =
      (octet === DASH && following === DASH) ||
      (octet === HASH && this.#dialect === 'mysql') ||
      // A command of psql.
      (octet === BACKSLASH && this.#dialect === 'postgresql');
    if (isComment) return this.#enter({ at: 'line' }, at + 1);
    if (octet === SLASH && following === STAR) return this.#enter({ at: 'comment' }, at + 2);
    if (octet === DOLLAR && this.#dialect === 'postgresql') return this.#dollar(window, at, isLast);
    if (octet === QUOTE || octet === DOUBLE || octet === BACKTICK) {
      const isText = octet === QUOTE || (octet === DOUBLE && this.#dialect === 'mysql');
      const hasEscapes = isText && this.#dialect === 'mysql';
      return this.#enter({ at: 'quoted', quote: octet, hasEscapes }, at + 1);
    }
    if (SIGNS.has(octet)) {
      this.#sink.take('sign', String.fromCharCode(octet));
      if (octet === SEMICOLON && this.#sink.isCopyNext) this.#mode = { at: 'copy_begins' };
      return at + 1;
    }
    return this.#enter({ at: 'word' }, at);
  }

  /** A string between dollar signs, such as the body of a function. */
  #dollar(window: Buffer, at: number, isLast: boolean): number {
    const end = window.indexOf(DOLLAR, at + 1);
    const tag = end < 0 ? null : window.subarray(at, end + 1);
    if (tag !== null && /^\$\w{0,62}\$$/.test(tag.toString('latin1'))) {
      return this.#enter({ at: 'dollar', tag: Buffer.from(tag) }, end + 1);
    }
    if (end < 0 && window.length - at < 65 && !isLast) return -1;
    return at + 1;
  }

  #word(window: Buffer, from: number): number {
    let at = from;
    for (; at < window.length; at++) {
      const octet = window[at] ?? 0;
      if (octet <= 0x20 || octet === QUOTE || octet === DOUBLE || octet === BACKTICK || SIGNS.has(octet)) {
        break;
      }
    }
    this.#keep(window.subarray(from, at));
    if (at === window.length) return at;
    const word = this.#taken();
    // E'…' is a string with escapes.
    if (window[at] === QUOTE && this.#dialect === 'postgresql' && /^e$/i.test(word)) {
      return this.#enter({ at: 'quoted', quote: QUOTE, hasEscapes: true }, at + 1);
    }
    this.#mode = CODE;
    this.#sink.take('word', word);
    return at;
  }

  #quoted(
    window: Buffer,
    from: number,
    { quote, hasEscapes, isLast }: { quote: number; hasEscapes: boolean; isLast: boolean },
  ): number {
    let at = from;
    while (at < window.length) {
      const isEscape = hasEscapes && window[at] === BACKSLASH;
      const isDoubled = window[at] === quote && window[at + 1] === quote;
      if (window[at] === quote && !isDoubled) break;
      if (isEscape && at + 1 >= window.length && !isLast) break;
      at += isEscape || isDoubled ? 2 : 1;
    }
    // The octet after the last one decides.
    const isOpen = at + 1 >= window.length && !isLast;
    if (at >= window.length || isOpen) {
      const end = Math.min(at, window.length);
      this.#keep(window.subarray(from, end));
      return end === from ? -1 : end;
    }
    this.#keep(window.subarray(from, at));
    const isName = quote === BACKTICK || (quote === DOUBLE && this.#dialect === 'postgresql');
    const sign = String.fromCharCode(quote);
    const raw = this.#taken().replaceAll(sign + sign, sign);
    this.#mode = CODE;
    this.#sink.take(isName ? 'name' : 'text', hasEscapes ? unescaped(raw) : raw);
    return at + 1;
  }

  #copied(window: Buffer, from: number): number {
    const end = window.indexOf(LF, from);
    // The end of the data is found also while lines are skipped.
    const isShort = this.#keptBytes < 3;
    this.#keep(window.subarray(from, end < 0 ? window.length : end), isShort);
    if (end < 0) return window.length;
    const line = this.#taken().replace(/\r$/, '');
    if (line === END_OF_COPY) this.#mode = CODE;
    else {
      this.#sink.take('copied', this.#isKeeping ? line : '');
      this.#begin({ at: 'copy' });
    }
    return end + 1;
  }

  #enter(mode: Mode, next: number): number {
    this.#begin(mode);
    return next;
  }

  #begin(mode: Mode): void {
    this.#mode = mode;
    this.#kept = [];
    this.#keptBytes = 0;
    this.#isKeeping = this.#sink.wantsContent;
  }

  #keep(octets: Uint8Array, always = false): void {
    if (!this.#isKeeping && !always) {
      // The first words of a statement determine its kind, and are short.
      if (this.#mode.at !== 'word' || this.#keptBytes > 256) return;
    }
    this.#keptBytes += octets.length;
    if (this.#keptBytes > MAX_TOKEN_BYTES || this.#kept.length >= MAX_PARTS) throw new TokenTooLong();
    this.#kept.push(octets);
  }

  #taken(): string {
    const text = Buffer.concat(this.#kept).toString('utf8');
    this.#kept = [];
    this.#keptBytes = 0;
    return text;
  }

  #end(kind: TokenKind): void {
    this.#mode = CODE;
    this.#sink.take(kind, this.#taken());
  }

  #skipTo(window: Buffer, end: number, length: number): number {
    if (end < 0) return window.length;
    this.#mode = CODE;
    return end + length;
  }

  /** Skips past `mark`, of which the last window may have had the beginning. */
  #skipPast(window: Buffer, at: number, mark: Buffer, isLast: boolean): number {
    const end = window.indexOf(mark, at);
    if (end >= 0) return this.#skipTo(window, end, mark.length);
    const before = window.length - (mark.length - 1);
    if (isLast) return window.length;
    return before > at ? before : -1;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  Z: '\x1a',
};

/** Reads the escapes of a string of MariaDB, or of a string with escapes or a COPY cell of PostgreSQL. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(.)/gs, (_whole, letter: string) => ESCAPES[letter] ?? letter);
}
