// Header fields that a customer may add to a message. RFC 5322 section 3.6, RFC 4021 (registered names).
import { encodeText, foldField, MAX_LINE } from '../../lib/mime/header-field.js';

/** Fields with ascii syntax of their own; a value that is not ascii would have to be changed. */
const STRUCTURED = [
  'References',
  'In-Reply-To',
  'List-Id',
  'List-Archive',
  'List-Help',
  'List-Owner',
  'List-Post',
  'List-Subscribe',
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
const FREE_TEXT = ['Organization', 'Keywords', 'Comments', 'Thread-Topic'];

/** Fields that the service writes itself, or that only a mail system may write. */
const OWNED = [
  'From',
  'To',
  'Cc',
  'Bcc',
  'Subject',
  'Date',
  'Message-ID',
  'Sender',
  'Reply-To',
  'Return-Path',
  'Received',
  'Received-SPF',
  'DKIM-Signature',
  'DomainKey-Signature',
  'Authentication-Results',
  'MIME-Version',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Feedback-ID',
  'Delivered-To',
  'Envelope-To',
  'Apparently-To',
  'Errors-To',
  'Return-Receipt-To',
  'Disposition-Notification-To',
];
const OWNED_PREFIXES = ['arc-', 'content-', 'resent-', 'x-posthorn-', 'x-envelope-'];

const MAX_NAME = 76;
const MAX_VALUE = 8192;
/** Receivers drop header blocks above 64 KiB; the service's own fields and two signatures need the rest. */
const MAX_SET = 32 * 1024;

const lowerSet = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => name.toLowerCase()));
const structured = lowerSet(STRUCTURED);
const freeText = lowerSet(FREE_TEXT);
const owned = lowerSet(OWNED);

/**
 * Why a customer may not give this field, as a sentence; null when it is safe. Names compare without case.
 */
export function customHeaderProblem(name: string, value: string): string | null {
  return nameProblem(name) ?? valueProblem(name, value);
}

/** The first field of a message's custom ones that is refused, by itself or beside the others. */
export function customHeaderSetProblem(
  headers: readonly (readonly [name: string, value: string])[],
): { name: string; problem: string } | null {
  const seen = new Set<string>();
  let sizeBytes = 0;
  for (const [name, value] of headers) {
    const problem = customHeaderProblem(name, value);
    if (problem !== null) return { name, problem };
    const key = name.toLowerCase();
    if (structured.has(key) && seen.has(key)) return { name, problem: 'The field may be given once only.' };
    seen.add(key);
    sizeBytes += foldField(name, asciiValue(value)).length + 2;
    if (sizeBytes > MAX_SET) return { name, problem: 'The custom fields are larger than 32 KiB together.' };
  }
  return null;
}

function nameProblem(name: string): string | null {
  if (name === '' || /[^\x21-\x39\x3b-\x7e]/.test(name)) {
    return 'A header name has printable ascii characters only, no blank and no colon.';
  }
  if (name.length > MAX_NAME) return 'The header name is longer than 76 characters.';
  const key = name.toLowerCase();
  if (owned.has(key) || OWNED_PREFIXES.some((prefix) => key.startsWith(prefix))) {
    return 'This field is written by the service or by mail systems only.';
  }
  if (key.startsWith('x-') && key.length > 2) return null;
  if (structured.has(key) || freeText.has(key)) return null;
  return 'This field is not on the list of safe ones; use a name that starts with X-.';
}

function valueProblem(name: string, value: string): string | null {
  if (/[\r\n]/.test(value)) return 'The value contains a line break.';
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(value)) return 'The value contains a control character.';
  if (value.trim() === '') return 'The value is empty.';
  if (value.length > MAX_VALUE) return 'The value is longer than 8,192 characters.';
  if (structured.has(name.toLowerCase()) && /[^\x00-\x7f]/.test(value)) {
    return 'The value of this field must be ascii.';
  }
  return hasLongRun(name, value)
    ? 'The value has more than 998 characters without a place to fold it.'
    : null;
}

/** Ascii runs cannot be folded; with any other character the whole value becomes encoded words, which can. */
function hasLongRun(name: string, value: string): boolean {
  if (/[^\t\x20-\x7e]/.test(value)) return false;
  const runs = ` ${value.trim()}`.match(/[ \t]+[^ \t]+/g) ?? [];
  return runs.some((run, index) => run.length + (index === 0 ? name.length + 1 : 0) > MAX_LINE);
}

function asciiValue(value: string): string {
  return /[^\t\x20-\x7e]/.test(value) ? encodeText(value) : value;
}
