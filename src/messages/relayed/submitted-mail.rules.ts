// Reads mail submitted by SMTP: its header fields, and whether it can be passed on unchanged. Its bytes are not modified. RFC 5322
// section 3.6, RFC 6409 section 6.
import { parseHeaderValue } from 'nodemailer/lib/mime-funcs';
import {
  addressProblem,
  asciiField,
  decodeWords,
  hasLongLine,
  headerBlockSize,
  type Mailbox,
  MAX_LINE,
  type RawField,
  parseRawField,
  rawValue,
  readMailboxes,
  readMessageId,
  readOneMailbox,
  shownLine,
  splitHeaderBlock,
  withinLineLength,
  writtenName,
} from '../../lib/mime/index.js';
import { isVendorControl } from './vendor-controls.rules.js';

/** The reply to the submitter instead of 250. */
export interface SubmissionProblem {
  code: 550 | 552 | 553 | 554;
  enhanced: string;
  text: string;
}

export interface SubmittedMail {
  /**
   * Every field in order, including those that are not passed on. Those that are have ASCII lines of at most 998 octets, except for
   * addresses with a non-ASCII local part.
   */
  fields: readonly RawField[];
  /** A view of the given octets. */
  body: Buffer;
  from: Mailbox;
  /** Further senders that the header names: Sender, Resent-From and Resent-Sender (RFC 5322 sections 3.6.2 and 3.6.6). */
  otherOriginators: Mailbox[];
  /** These three are only displayed, so unreadable ones are left out. */
  replyTo: Mailbox[];
  to: Mailbox[];
  cc: Mailbox[];
  /** Decoded, on one line; '' without one. */
  subject: string;
  /** Without angle brackets; `null` if missing or invalid, so that Mailkeel's is used. */
  messageId: string | null;
  hasDate: boolean;
  /** Its keyword, lower case: `no`, `auto-generated`, `auto-replied`, ... */
  autoSubmitted: string | null;
  hasListUnsubscribe: boolean;
  /** The submitter has signed it with their own key. */
  hasDkimSignature: boolean;
  receivedCount: number;
  /** TLS-Required: No (RFC 8689 section 5). */
  waivesTls: boolean;
  /** The message as a whole is signed or encrypted end to end. */
  protection: 'signed' | 'encrypted' | null;
  /** Leaves of the body have lines above 998 octets, and can be encoded. */
  hasLongLines: boolean;
}

type Submission = { kind: 'refused'; problem: SubmissionProblem } | { kind: 'read'; mail: SubmittedMail };

/** Receivers drop headers above 64 KiB. Mailkeel's fields and two signatures need the rest. */
const MAX_HEADER_BYTES = 60 * 1024;
const MAX_SUBJECT = 998;

/** At most one of each in a message (RFC 5322 section 3.6, RFC 2045, RFC 2369, RFC 3834, RFC 8689): of two, readers pick either. */
const ONCE_ONLY = [
  'Date',
  'From',
  'Sender',
  'Reply-To',
  'To',
  'Cc',
  'Message-ID',
  'In-Reply-To',
  'References',
  'Subject',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'Content-Disposition',
  'Content-ID',
  'Content-Description',
  'List-Id',
  'List-Help',
  'List-Subscribe',
  'List-Post',
  'List-Owner',
  'List-Archive',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Auto-Submitted',
  'TLS-Required',
];
/** Bcc, fields that only mail systems write, and fields that only Mailkeel may write. */
const NOT_PASSED_ON = ['bcc', 'resent-bcc', 'return-path', 'feedback-id'];
const OUR_PREFIX = 'x-service-';

const CR = 0x0d;
const LF = 0x0a;
const BLANK_LINE = Buffer.from('\r\n');
const SIGNED = ['multipart/signed'];
const ENCRYPTED = ['multipart/encrypted', 'application/pkcs7-mime', 'application/x-pkcs7-mime'];

/** Returns whether a submitted field is sent with the message. */
export function isPassedOn({ name }: RawField): boolean {
  return !NOT_PASSED_ON.includes(name) && !name.startsWith(OUR_PREFIX) && !isVendorControl(name);
}

/** Returns the fields of accepted octets that are sent, by their names as written. Repeated fields are lines of one value. */
export function shownFields(raw: Buffer): Record<string, string> {
  const shown = new Map<string, { name: string; values: string[] }>();
  for (const field of splitHeaderBlock(raw)?.fields ?? []) {
    if (!isPassedOn(field)) continue;
    const known = shown.get(field.name) ?? { name: writtenName(field), values: [] };
    known.values.push(shownLine(decodeWords(rawValue(field))));
    shown.set(field.name, known);
  }
  return Object.fromEntries(Array.from(shown.values(), ({ name, values }) => [name, values.join('\n')]));
}

/** Reads the bytes of a submitted message. Refuses mail that would not arrive as intended, with a sentence. */
export function readSubmitted(raw: Buffer): Submission {
  const octetsAtFault = octetProblem(raw);
  if (octetsAtFault !== null) return { kind: 'refused', problem: octetsAtFault };
  const sizeBytes = headerBlockSize(raw);
  if (sizeBytes > MAX_HEADER_BYTES) return longHeader(sizeBytes);
  const block = splitHeaderBlock(raw);
  if (block === null) return refused(554, '5.6.0', 'The header contains a line that is not a header field');
  const { fields: written, body } = block;
  const fields = sendableFields(written);
  if (fields === null)
    return refused(554, '5.6.0', 'The header contains a field that can be neither folded nor encoded');
  // Encoded words take up to three times as much.
  const sentBytes = fields.reduce((sum, { line }) => sum + line.length + 2, 0);
  if (sentBytes > MAX_HEADER_BYTES) return longHeader(sentBytes);
  const hasLongLines = hasLongLine(body);
  if (hasLongLines && withinLineLength({ headerLines: fields.map(({ line }) => line), body }) === null)
    return longLine('part that cannot be re-encoded');
  const twice = ONCE_ONLY.find((name) => fieldsOf(written, name.toLowerCase()).length > 1);
  if (twice !== undefined) return refused(554, '5.6.0', `The message has more than one ${twice} field`);
  const origin = readOrigin(written);
  if ('problem' in origin) return { kind: 'refused', problem: origin.problem };
  const mail = { fields, body, ...origin, ...readRest(written), hasLongLines };
  return { kind: 'read', mail };
}

/** The part of a submitted mail that it is sent by. */
export type SubmittedForm = Pick<SubmittedMail, 'fields' | 'body' | 'messageId' | 'hasLongLines'>;

/** Reads bytes that `readSubmitted` accepted before; null for others. Lines and octets are checked again, values are not. */
export function readSubmittedAgain(raw: Buffer): SubmittedForm | null {
  const block = octetProblem(raw) === null ? splitHeaderBlock(raw) : null;
  if (block === null) return null;
  const fields = sendableFields(block.fields);
  if (fields === null) return null;
  const { body } = block;
  return { fields, body, messageId: messageIdOf(fields), hasLongLines: hasLongLine(body) };
}

/** The content would be read in another way without them. */
const NEEDED = ['from', 'sender', 'content-type', 'content-transfer-encoding'];

/**
 * The fields in a form that every mail server takes: folded at blanks, encoded, or left out if neither is possible. Null if such a
 * field cannot be left out.
 */
function sendableFields(fields: readonly RawField[]): RawField[] | null {
  const sendable: RawField[] = [];
  for (const field of fields) {
    const line = isPassedOn(field) ? asciiField(field, { utf8Local: true }) : field.line;
    if (line !== null) sendable.push({ name: field.name, line });
    else if (NEEDED.includes(field.name)) return null;
  }
  return sendable;
}

const MBOX_LINE = /^>*From [^\r\n]*\r\n/;
/** Longer than the name of any field. */
const LINE_START = 1_000;

/**
 * Converts the bytes of a submission to a message: without the separator line of mbox files, with a blank line between header and
 * body if it is missing, and with CRLF line endings.
 */
export function asMessage(octets: Buffer): Buffer {
  const [mboxLine = ''] = MBOX_LINE.exec(octets.toString('latin1', 0, LINE_START)) ?? [];
  const message = octets.subarray(mboxLine.length);
  // A longer header is refused anyway.
  for (let start = 0; start < message.length && start <= MAX_HEADER_BYTES;) {
    const lineEnd = message.indexOf(LF, start);
    const end = lineEnd === -1 ? message.length : lineEnd + 1;
    const line = message.toString('latin1', start, Math.min(end, start + LINE_START));
    if (line === '\r\n') break;
    const isField = parseRawField(line) !== null || (start > 0 && /^[ \t]/.test(line));
    if (!isField) return Buffer.concat([message.subarray(0, start), BLANK_LINE, message.subarray(start)]);
    start = end;
  }
  return message;
}

/** Every field as text, under its name as written: unfolded, encoded words decoded. Controls are left in, for those who refuse them. */
export function fieldTexts(fields: readonly RawField[]): { name: string; value: string }[] {
  return fields.map((field) => ({ name: writtenName(field), value: decodeWords(rawValue(field)) }));
}

function refused(code: SubmissionProblem['code'], enhanced: string, text: string): Submission {
  return { kind: 'refused', problem: { code, enhanced, text: `${text}.` } };
}

/** One pass: a search for each kind would read a large message several times. */
function octetProblem(raw: Buffer): SubmissionProblem | null {
  const bare = (what: string): SubmissionProblem => ({
    code: 550,
    enhanced: '5.6.11',
    text: `The message contains a ${what}.`,
  });
  for (let at = 0; at < raw.length; at++) {
    const octet = raw[at] ?? 0;
    if (octet > CR) continue;
    if (octet === 0) return bare('NUL character');
    if (octet === CR && raw[at + 1] !== LF) return bare('carriage return without a line feed');
    if (octet === LF && raw[at - 1] !== CR) return bare('line feed without a carriage return');
  }
  return null;
}

function longHeader(bytes: number): Submission {
  return refused(552, '5.3.4', `The header has ${bytes} bytes; the maximum is ${MAX_HEADER_BYTES}`);
}

function longLine(where: string): Submission {
  return refused(554, '5.6.0', `The message has a line longer than ${MAX_LINE} bytes in a ${where}`);
}

function fieldsOf(fields: readonly RawField[], name: string): RawField[] {
  return fields.filter((field) => field.name === name);
}

function readOrigin(
  fields: readonly RawField[],
): Pick<SubmittedMail, 'from' | 'otherOriginators'> | { problem: SubmissionProblem } {
  const wrong = (code: 550 | 553 | 554, enhanced: string, text: string) => ({
    problem: { code, enhanced, text },
  });
  const [fromField] = fieldsOf(fields, 'from');
  if (fromField === undefined) return wrong(554, '5.6.0', 'The message has no From field.');
  const fromText = rawValue(fromField);
  const from = readOneMailbox(fromText);
  if (from === null) {
    const count = readMailboxes(fromText).length;
    return count > 1
      ? wrong(554, '5.6.0', `The From field has ${count} addresses; exactly one is allowed.`)
      : wrong(553, '5.1.7', 'The From field has no unambiguous address.');
  }
  const problem = addressProblem(from.email);
  if (problem !== null) return wrong(553, '5.1.7', `The From field: ${problem}`);
  const [senderField] = fieldsOf(fields, 'sender');
  const sender = senderField ? readOneMailbox(rawValue(senderField)) : null;
  if (senderField && sender === null) {
    return wrong(554, '5.6.0', 'The Sender field must have exactly one address.');
  }
  const resent = fields.filter(({ name }) => name === 'resent-from' || name === 'resent-sender');
  const resenders = resent.map((field) => readMailboxes(rawValue(field)));
  if (resenders.some((mailboxes) => mailboxes.length === 0)) {
    return wrong(554, '5.6.0', 'A Resent-From or Resent-Sender field has no address.');
  }
  return { from, otherOriginators: [...(sender === null ? [] : [sender]), ...resenders.flat()] };
}

function readRest(
  fields: readonly RawField[],
): Pick<
  SubmittedMail,
  | 'replyTo'
  | 'to'
  | 'cc'
  | 'subject'
  | 'messageId'
  | 'hasDate'
  | 'autoSubmitted'
  | 'hasListUnsubscribe'
  | 'hasDkimSignature'
  | 'receivedCount'
  | 'waivesTls'
  | 'protection'
> {
  const valueOf = (name: string): string | null => {
    const [field] = fieldsOf(fields, name);
    return field ? rawValue(field) : null;
  };
  const mailboxes = (name: string): Mailbox[] => readMailboxes(valueOf(name) ?? '');
  return {
    replyTo: mailboxes('reply-to'),
    to: mailboxes('to'),
    cc: mailboxes('cc'),
    subject: shownLine(decodeWords(valueOf('subject') ?? ''), MAX_SUBJECT),
    messageId: messageIdOf(fields),
    hasDate: valueOf('date') !== null,
    autoSubmitted: /^[a-z-]+/.exec((valueOf('auto-submitted') ?? '').toLowerCase())?.[0] ?? null,
    hasListUnsubscribe: valueOf('list-unsubscribe') !== null,
    hasDkimSignature: fieldsOf(fields, 'dkim-signature').length > 0,
    receivedCount: fieldsOf(fields, 'received').length,
    waivesTls: valueOf('tls-required')?.toLowerCase() === 'no',
    protection: protectionOf(valueOf('content-type')),
  };
}

function messageIdOf(fields: readonly RawField[]): string | null {
  const [field] = fieldsOf(fields, 'message-id');
  return field ? readMessageId(rawValue(field)) : null;
}

function protectionOf(contentType: string | null): SubmittedMail['protection'] {
  const { value, params } = parseHeaderValue(contentType ?? '', { stripComments: true });
  const type = value.toLowerCase();
  if (ENCRYPTED.includes(type)) {
    // RFC 8551 section 3.2.2: the one type is used for both.
    return /^(?:signed-data|certs-only)$/i.test(params['smime-type'] ?? '') ? 'signed' : 'encrypted';
  }
  return SIGNED.includes(type) ? 'signed' : null;
}
