// Reads the mailboxes of a received header field (RFC 5322 section 3.4): strictly if an identity depends on
// it, leniently if it is only displayed.
import addressParser from 'nodemailer/lib/addressparser';
import { parseMailbox, type Mailbox } from './address.js';
import { decodeWords } from './encoded-words.js';
import { shownLine } from './shown-line.js';

const MAX_VALUE = 65_536;
const MAX_MAILBOXES = 1_000;
const MAX_NAME = 500;
/** Longer than RFC 5321 allows, because the reader of the mail judges an address, not the parser. */
const MAX_ADDRESS = 1_000;
const MAX_COMMENTS = 20;

/**
 * Returns the only mailbox of the field, ignoring comments. Returns `null` for none, several, a group, and
 * anything that readers could take for different addresses. The old form `ann@example.com (Ann)` takes its
 * name from the comment.
 */
export function readOneMailbox(text: string): Mailbox | null {
  const stripped = stripComments(text.replaceAll('\t', ' '));
  if (stripped === null) return null;
  const mailbox = parseMailbox(stripped.text);
  if (mailbox === null) return null;
  return { email: mailbox.email, name: shownName(decodeWords(mailbox.name ?? stripped.comment ?? '')) };
}

/**
 * Returns every recognizable mailbox, including members of groups, at most 1,000. `text` has its encoded
 * words. Entries without an address of the form `local@domain` are left out.
 */
export function readMailboxes(text: string): Mailbox[] {
  return readEntries(text).filter((entry) => entry !== null);
}

/** Like `readMailboxes`, but returns `null` if an entry would be left out. */
export function readEveryMailbox(text: string): Mailbox[] | null {
  const entries = readEntries(text);
  const mailboxes = entries.filter((entry) => entry !== null);
  return mailboxes.length === entries.length ? mailboxes : null;
}

/** An entry without an address is `null`. */
function readEntries(text: string): (Mailbox | null)[] {
  const entries: (Mailbox | null)[] = [];
  let count = 0;
  for (const { name, address } of addressParser(text.slice(0, MAX_VALUE), { flatten: true })) {
    const decoded = decodeWords(name);
    // Some senders encode the whole `Name <address>`. A bare encoded address remains a name (RFC 2047
    // section 5).
    const inside =
      address === '' && decoded !== name ? /^([^<>]*)<([^<>\s@]+@[^<>\s@]+)>$/.exec(decoded.trim()) : null;
    const email = inside?.[2] ?? address;
    const isKnown = isAddress(email);
    entries.push(isKnown ? { email, name: shownName(inside?.[1] ?? decoded) } : null);
    if (isKnown && ++count >= MAX_MAILBOXES) break;
  }
  return entries;
}

const QUOTED_LOCAL = /^"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"(?=@)/u;

function isAddress(email: string): boolean {
  const at = email.lastIndexOf('@');
  if (at <= 0 || at === email.length - 1 || email.length > MAX_ADDRESS) return false;
  return !/[\s\p{Cc}<>]/u.test(email.replace(QUOTED_LOCAL, '')) && !email.includes('=?');
}

function shownName(name: string): string | null {
  return shownLine(name, MAX_NAME) || null;
}

/** Removes comments outside quotes and returns the last one; `null` if parentheses or quotes don't match. */
function stripComments(text: string): { text: string; comment: string | null } | null {
  let kept = '';
  let comment = '';
  let last: string | null = null;
  let count = 0;
  let depth = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    const isEscape = char === '\\' && (isQuoted || depth > 0);
    const written = isEscape ? char + text.charAt(++i) : char;
    if (depth === 0) {
      if (char === '"') isQuoted = !isQuoted;
      if (isQuoted || char !== '(') {
        if (char === ')' && !isQuoted) return null;
        kept += written;
        continue;
      }
      if (++count > MAX_COMMENTS) return null;
      depth = 1;
      comment = '';
      kept += ' ';
      continue;
    }
    if (char === '(') depth += 1;
    if (char === ')' && --depth === 0) last = comment;
    else comment += isEscape ? written.slice(1) : char;
  }
  return depth > 0 || isQuoted ? null : { text: kept, comment: last };
}
