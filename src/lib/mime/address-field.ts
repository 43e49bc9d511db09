// The mailboxes of a header field that somebody else wrote (RFC 5322 section 3.4): strictly where an identity hangs on it,
// and as well as can be where it is only shown.
import addressParser from 'nodemailer/lib/addressparser';
import { parseMailbox, type Mailbox } from './address.js';
import { decodeWords } from './encoded-words.js';
import { shownLine } from './shown-line.js';

const MAX_VALUE = 65_536;
const MAX_MAILBOXES = 1_000;
const MAX_NAME = 500;
/** Above what RFC 5321 allows an address: who reads the mail judges it, not the parser. */
const MAX_ADDRESS = 1_000;
const MAX_COMMENTS = 20;

/**
 * The one mailbox that the field consists of, comments aside; null for none, for several, for a group, and for anything that
 * readers could take for different addresses. The old form `ann@example.com (Ann)` names its mailbox by the comment.
 */
export function readOneMailbox(text: string): Mailbox | null {
  const stripped = stripComments(text.replaceAll('\t', ' '));
  if (stripped === null) return null;
  const mailbox = parseMailbox(stripped.text);
  if (mailbox === null) return null;
  return { email: mailbox.email, name: shownName(decodeWords(mailbox.name ?? stripped.comment ?? '')) };
}

/**
 * Every mailbox that can be made out, members of groups too, 1,000 at most; `text` with its encoded words. What has no address of
 * the form `local@domain` is left out.
 */
export function readMailboxes(text: string): Mailbox[] {
  const mailboxes: Mailbox[] = [];
  for (const { name, address } of addressParser(text.slice(0, MAX_VALUE), { flatten: true })) {
    const decoded = decodeWords(name);
    // Some senders encode the whole `Name <address>`. A bare encoded address stays a name (RFC 2047 section 5).
    const inside =
      address === '' && decoded !== name ? /^([^<>]*)<([^<>\s@]+@[^<>\s@]+)>$/.exec(decoded.trim()) : null;
    const email = inside?.[2] ?? address;
    if (!isAddress(email)) continue;
    mailboxes.push({ email, name: shownName(inside?.[1] ?? decoded) });
    if (mailboxes.length >= MAX_MAILBOXES) break;
  }
  return mailboxes;
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

/** Without what stands in parentheses outside of quotes, and the last such text; null when they do not pair. */
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
