// Parses replies from a byte stream (RFC 5321 section 4.2; enhanced codes RFC 2034). The peer is not trusted,
// so lines, their number and the kept text are bounded, and control characters are dropped.

const LF = 10;
const CR = 13;
const HYPHEN = 45;
const SPACE = 32;
const MAX_REPLY_LINE_OCTETS = 4_096;
const MAX_REPLY_LINES = 128;
const MAX_REPLY_TEXT_CHARS = 1_024;
/** At most four commands are in progress. A peer with more unsolicited replies than this is flooding. */
const MAX_WAITING_REPLIES = 8;

export interface SmtpReply {
  /** The code of the last line; if the lines differ in class, of the last line of the worst class. */
  code: number;
  /**
   * The first `x.y.z` at the start of a line, preferably one of the class of `code`; peers may contradict it.
   */
  enhanced: string | null;
  /**
   * The peer's text: all lines without the code, joined by spaces, at most 1,024 characters, without control
   * characters.
   */
  text: string;
  /** Each line without the code, at most 1,024 characters each. */
  lines: string[];
}

interface ReplyReader {
  /** Takes bytes, split in any way. Returns the fault, or `null`; after a fault, bytes are ignored. */
  feed: (bytes: Buffer) => string | null;
  /** Removes and returns the oldest complete reply. */
  next: () => SmtpReply | undefined;
  /** Number of complete replies not yet taken. */
  waiting: () => number;
}

export function createReplyReader(): ReplyReader {
  const replies: SmtpReply[] = [];
  let rest: Buffer | null = null;
  let lines: string[] = [];
  let code = 0;
  let fault: string | null = null;

  function takeLine(bytes: Buffer, start: number, lineEnd: number): string | null {
    const end = lineEnd > start && bytes[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
    if (end - start > MAX_REPLY_LINE_OCTETS) return 'reply line is too long';
    const lineCode = readCode(bytes, start, end);
    if (lineCode === null && lines.length === 0)
      return `not an SMTP reply: ${clean(bytes.toString('utf8', start, end), 80)}`;
    if (lines.length === MAX_REPLY_LINES) return 'reply has too many lines';
    const textStart = lineCode === null ? start : Math.min(start + 4, end);
    lines.push(clean(bytes.toString('utf8', textStart, end), MAX_REPLY_TEXT_CHARS));
    // Some peers insert lines of text without a code into a reply.
    if (lineCode === null) return null;
    code = lines.length === 1 ? lineCode : worse(code, lineCode);
    if (bytes[start + 3] !== HYPHEN || start + 3 >= end) {
      if (replies.length === MAX_WAITING_REPLIES) return 'peer sends replies to nothing';
      replies.push(composeReply(code, lines));
      lines = [];
    }
    return null;
  }

  return {
    feed(chunk) {
      if (fault !== null) return fault;
      const bytes = rest === null ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, start)) {
        fault = takeLine(bytes, start, at);
        if (fault !== null) return fault;
        start = at + 1;
      }
      rest = start === bytes.length ? null : bytes.subarray(start);
      if (rest !== null && rest.length > MAX_REPLY_LINE_OCTETS + 1) fault = 'reply line is too long';
      return fault;
    },
    next: () => replies.shift(),
    waiting: () => replies.length,
  };
}

/** Composes a reply from its code and lines; also used for local refusals. */
export function composeReply(code: number, lines: string[]): SmtpReply {
  const named = lines.flatMap((line) => /^([245]\.\d{1,3}\.\d{1,3})(?=\s|$)/.exec(line)?.[1] ?? []);
  const enhanced = named.find((one) => one.startsWith(String(code).charAt(0))) ?? named[0] ?? null;
  const [first = ''] = lines;
  return { code, enhanced, text: lines.length === 1 ? first : join(lines, enhanced), lines };
}

/**
 * Joins the lines into a sentence with a single enhanced code. RFC 2034 section 4 requires the code in every
 * line.
 */
function join(lines: readonly string[], enhanced: string | null): string {
  let text = '';
  for (const line of lines) {
    const isRepeat = enhanced !== null && text.includes(enhanced) && `${line} `.startsWith(`${enhanced} `);
    const words = isRepeat ? line.slice(enhanced.length + 1) : line;
    text += text === '' || words === '' ? words : ` ${words}`;
    if (text.length >= MAX_REPLY_TEXT_CHARS) break;
  }
  return text.slice(0, MAX_REPLY_TEXT_CHARS);
}

function readCode(bytes: Buffer, start: number, end: number): number | null {
  if (end - start < 3) return null;
  const hundreds = (bytes[start] ?? 0) - 48;
  const tens = (bytes[start + 1] ?? 0) - 48;
  const ones = (bytes[start + 2] ?? 0) - 48;
  if (hundreds < 2 || hundreds > 5 || tens < 0 || tens > 9 || ones < 0 || ones > 9) return null;
  const separator = end - start === 3 ? SPACE : bytes[start + 3];
  return separator === SPACE || separator === HYPHEN ? hundreds * 100 + tens * 10 + ones : null;
}

/** Returns the code of a reply whose lines differ: the worst class wins, and within it the later line. */
function worse(code: number, later: number): number {
  return Math.floor(later / 100) >= Math.floor(code / 100) ? later : code;
}

const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

function clean(text: string, maxChars: number): string {
  return text.replace(CONTROLS, '').slice(0, maxChars).trimEnd();
}
