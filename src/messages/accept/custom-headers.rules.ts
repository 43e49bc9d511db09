// Decides which header fields a customer may add to a message: all except those of the service and of mail systems. RFC 5322
// section 3.6, RFC 4021 (registered names), RFC 2369 and RFC 8058 (List-Unsubscribe).
import { encodeText, foldField, MAX_LINE, readMessageId } from '../../lib/mime/index.js';

/** Fields with their own ASCII syntax, allowed once per message. A value that is not ASCII would have to be changed. */
const STRUCTURED = [
  'Message-ID',
  'References',
  'In-Reply-To',
  'List-Id',
  'List-Archive',
  'List-Help',
  'List-Owner',
  'List-Post',
  'List-Subscribe',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Auto-Submitted',
  'Importance',
  'Priority',
  'X-Priority',
  'Precedence',
  'Sensitivity',
  'Expires',
  'Expiry-Date',
  'Thread-Index',
  'Accept-Language',
  'Archived-At',
];

/** Fields that the service writes itself, or that only a mail system may write. */
const OWNED = [
  'From',
  'To',
  'Cc',
  'Bcc',
  'Subject',
  'Date',
  'Sender',
  'Reply-To',
  'Return-Path',
  'Received',
  'Received-SPF',
  'Authentication-Results',
  'MIME-Version',
  'Feedback-ID',
  'TLS-Required',
  'Delivered-To',
  'Envelope-To',
  'Apparently-To',
  'Original-Recipient',
  'Errors-To',
  'Return-Receipt-To',
  'Disposition-Notification-To',
  'BIMI-Location',
  'BIMI-Indicator',
];
const OWNED_PREFIXES = [
  'arc-',
  'content-',
  'dkim-',
  'domainkey-',
  'resent-',
  'tls-report-',
  'x-service-',
  'x-envelope-',
];
/** The sender's to write in transactional mail without a topic, and otherwise the service's. */
const OWN_OF_TRANSACTIONAL = ['Message-ID', 'List-Unsubscribe', 'List-Unsubscribe-Post'];
const ONE_CLICK = 'List-Unsubscribe=One-Click';

const MAX_NAME = 76;
const MAX_VALUE = 8192;
/** Receivers drop header blocks above 64 KiB; the service's own fields and two signatures need the rest. */
const MAX_SET = 32 * 1024;

const lowerSet = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => name.toLowerCase()));
const structured = lowerSet(STRUCTURED);
const owned = lowerSet(OWNED);
const ownOfTransactional = lowerSet(OWN_OF_TRANSACTIONAL);

/** The message that custom fields are for. */
interface HeaderTerms {
  /** Transactional mail without a topic may have its own Message-ID and List-Unsubscribe. */
  isTransactional: boolean;
}

type Header = readonly [name: string, value: string];

/**
 * Why a customer may not give this field, as a sentence; null when it is safe. Names compare without case.
 */
export function customHeaderProblem(name: string, value: string, terms: HeaderTerms): string | null {
  return nameProblem(name, terms) ?? valueProblem(name, value);
}

/** Returns the first custom field that is refused, either by itself or in combination with the others. */
export function customHeaderSetProblem(
  headers: readonly Header[],
  terms: HeaderTerms,
): { name: string; problem: string } | null {
  const seen = new Set<string>();
  let sizeBytes = 0;
  for (const [name, value] of headers) {
    const problem = customHeaderProblem(name, value, terms);
    if (problem !== null) return { name, problem };
    const key = name.toLowerCase();
    if (structured.has(key) && seen.has(key))
      return { name, problem: 'The field can be specified only once.' };
    seen.add(key);
    sizeBytes += foldField(name, asciiValue(value)).length + 2;
    if (sizeBytes > MAX_SET) return { name, problem: 'The custom fields exceed 32 KiB in total.' };
  }
  return oneClickProblem(headers);
}

/** Returns the value of a field, regardless of the case of its name; null without one. */
export function headerValue(headers: readonly Header[], wanted: string): string | null {
  return headers.find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1] ?? null;
}

/** RFC 8058 section 3.1: the request goes to an https URI of List-Unsubscribe. */
function oneClickProblem(headers: readonly Header[]): { name: string; problem: string } | null {
  const name = 'List-Unsubscribe-Post';
  if (headerValue(headers, name) === null) return null;
  const uris = headerValue(headers, 'List-Unsubscribe') ?? '';
  return /<https:/i.test(uris)
    ? null
    : { name, problem: 'The field requires a List-Unsubscribe with an https URI.' };
}

function nameProblem(name: string, { isTransactional }: HeaderTerms): string | null {
  if (name === '' || /[^\x21-\x39\x3b-\x7e]/.test(name)) {
    return 'Header names must consist of printable ASCII characters without spaces or colons.';
  }
  if (name.length > MAX_NAME) return 'The header name exceeds 76 characters.';
  const key = name.toLowerCase();
  if (owned.has(key) || OWNED_PREFIXES.some((prefix) => key.startsWith(prefix))) {
    return 'This field can be set only by Mailkeel or by mail systems.';
  }
  if (!isTransactional && ownOfTransactional.has(key)) {
    return 'Mailkeel sets this field in marketing and sales mail and in mail with a topic.';
  }
  return null;
}

function valueProblem(name: string, value: string): string | null {
  if (/[\r\n]/.test(value)) return 'The value contains a line break.';
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(value)) return 'The value contains a control character.';
  if (value.trim() === '') return 'The value is empty.';
  if (value.length > MAX_VALUE) return 'The value exceeds 8,192 characters.';
  if (structured.has(name.toLowerCase()) && /[^\x00-\x7f]/.test(value)) {
    return 'The value of this field must be ASCII.';
  }
  if (hasLongRun(name, value)) return 'The value contains more than 998 characters that cannot be folded.';
  return syntaxProblem(name.toLowerCase(), value.trim());
}

/** Returns the problem of a value that receivers act on, or `null`. */
function syntaxProblem(key: string, value: string): string | null {
  switch (key) {
    case 'message-id':
      return readMessageId(value) === null
        ? 'The value must be one id in angle brackets, such as <4711@example.com>, of at most 500 characters.'
        : null;
    case 'list-unsubscribe':
      return isUnsubscribeList(value)
        ? null
        : 'The value must be one or more https and mailto URIs, each in angle brackets, with commas between them.';
    case 'list-unsubscribe-post':
      return value === ONE_CLICK ? null : `The value must be ${ONE_CLICK}.`;
    default:
      return null;
  }
}

function isUnsubscribeList(value: string): boolean {
  return value.split(/>\s*,\s*(?=<)/).every((part, index, parts) => {
    const uri = /^<([^<>\s]+)>$/.exec(index < parts.length - 1 ? `${part}>` : part)?.[1] ?? '';
    return /^https:/i.test(uri) ? URL.canParse(uri) : /^mailto:[^@?]+@[^@?]+/i.test(uri);
  });
}

/** Long ASCII words cannot be folded. A value with any other character becomes encoded words, which can. */
function hasLongRun(name: string, value: string): boolean {
  if (/[^\t\x20-\x7e]/.test(value)) return false;
  const runs = ` ${value.trim()}`.match(/[ \t]+[^ \t]+/g) ?? [];
  return runs.some((run, index) => run.length + (index === 0 ? name.length + 1 : 0) > MAX_LINE);
}

function asciiValue(value: string): string {
  return /[^\t\x20-\x7e]/.test(value) ? encodeText(value) : value;
}
