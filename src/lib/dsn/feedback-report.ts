// Reads complaints: the Abuse Reporting Format (RFC 5965) and its substitutes. Trust in the sender is decided
// in src/inbound/classify/complaint.rules.ts.
import { findField, type HeaderField, type MailPart, type ParsedMail, readDate } from '../mime/index.js';
import {
  isFieldLine,
  splitLines,
  partText,
  readFieldBlock,
  RETURNED_TYPES,
  type FieldBlock,
} from './report-fields.js';

/** RFC 5965 section 7.3 and RFC 6591; `opt-out` comes from earlier drafts and is still in use. */
export const FEEDBACK_TYPES = [
  'abuse',
  'auth-failure',
  'fraud',
  'not-spam',
  'opt-out',
  'other',
  'virus',
] as const;
export type FeedbackType = (typeof FEEDBACK_TYPES)[number];

export interface FeedbackReport {
  /**
   * `standard`: has the fields of RFC 5965. `attached`: only the message, attached (Microsoft's JMRP and
   * other feedback loops). `inline`: only the message with its header, copied into the text.
   */
  form: 'standard' | 'attached' | 'inline';
  type: FeedbackType;
  /** The program that wrote the report. */
  userAgent: string | null;
  /** Without angle brackets, like the recipients; often redacted. */
  originalMailFrom: string | null;
  originalRecipients: readonly string[];
  /** Epoch ms. */
  arrivalDate: number | null;
  sourceIp: string | null;
  reportedDomains: readonly string[];
  /** Number of complaints that the report stands for; at least 1. */
  incidents: number;
  /** The header of the reported message as far as the report contains it; encoded words are not decoded. */
  original: readonly HeaderField[];
}

const MAX_LISTED = 20;
const MAX_WORD = 320;
const MAX_INCIDENTS = 1_000_000;
/** Mislabeled fields are at the beginning of their part. */
const MAX_DISGUISED = 4096;
/** Attached messages that are read; a report has one. */
const MAX_MESSAGES = 50;

/** Other kinds of reports that also have the message attached. */
const OTHER_REPORTS =
  /^message\/(?:global-)?(?:delivery[-_]status|disposition-notification|tracking-status)$|^application\/tlsrpt/;
/**
 * Fields that neither people nor mail clients write into a text. A copied header contains some, a quoted
 * reply none.
 */
const TRACE_FIELDS = [
  'received',
  'return-path',
  'message-id',
  'mime-version',
  'dkim-signature',
  'list-unsubscribe',
  'feedback-id',
  'x-service-ref',
];
const MIN_COPIED_FIELDS = 4;
const MIN_TRACE_FIELDS = 2;

/** Spellings of the types that occur, reduced to letters. */
const TYPE_WORDS = new Map<string, FeedbackType>([
  ['abuse', 'abuse'],
  ['spam', 'abuse'],
  ['junk', 'abuse'],
  ['complaint', 'abuse'],
  ['fraud', 'fraud'],
  ['phishing', 'fraud'],
  ['virus', 'virus'],
  ['notspam', 'not-spam'],
  ['notjunk', 'not-spam'],
  ['optout', 'opt-out'],
  ['optoutlist', 'opt-out'],
  ['unsubscribe', 'opt-out'],
  ['authfailure', 'auth-failure'],
  ['dkim', 'auth-failure'],
]);

/**
 * Reads the complaint in a mail; `null` if there is none. Forms other than `standard` are guessed from an
 * attached or copied message, so they only count in mail to an address for complaints.
 */
export function readFeedbackReport(mail: ParsedMail): FeedbackReport | null {
  return standardReport(mail) ?? attachedReport(mail) ?? inlineReport(mail);
}

function standardReport(mail: ParsedMail): FeedbackReport | null {
  const part = mail.parts.find(({ type }) => type === 'message/feedback-report');
  const found = part ? fieldsOfPart(part) : (fieldsInWrongPart(mail) ?? fieldsInText(mail));
  if (found === null) return null;
  const original = embeddedHeader(mail) ?? copiedHeader(found.behind) ?? copiedHeader(textLines(mail)) ?? [];
  return compose('standard', mail, found.fields, original);
}

interface ReportFields {
  fields: HeaderField[];
  /** Lines after the fields, which may contain the message. */
  behind: readonly string[];
}

/** Reads a part with the right type, which may have blank lines between its fields and undeclared base64. */
function fieldsOfPart({ content }: MailPart): ReportFields {
  const lines = splitLines(partText(content));
  const fields: HeaderField[] = [];
  for (let at = 0; at < lines.length;) {
    const block = readFieldBlock(lines, at);
    fields.push(...block.fields);
    at = Math.max(block.end, at) + 1;
  }
  return { fields, behind: [] };
}

/** Reads a report with the wrong type, such as text/plain or application/octet-stream. */
function fieldsInWrongPart(mail: ParsedMail): ReportFields | null {
  for (const part of mail.parts) {
    if (RETURNED_TYPES.includes(part.type) || OTHER_REPORTS.test(part.type)) continue;
    const found = reportFieldsIn(splitLines(partText(part.content.subarray(0, MAX_DISGUISED))));
    if (found !== null) return found;
  }
  return null;
}

function fieldsInText(mail: ParsedMail): ReportFields | null {
  return reportFieldsIn(textLines(mail));
}

/** Reads the block of fields around a line with the feedback type. */
function reportFieldsIn(lines: readonly string[]): ReportFields | null {
  const at = lines.findIndex((line) => /^feedback-type[ \t]{0,9}:/i.test(line));
  if (at < 0) return null;
  let start = at;
  while (start > 0 && isBlockLine(lines[start - 1] ?? '')) start -= 1;
  const { fields, end } = readFieldBlock(lines, start);
  if (!fields.some(({ name }) => name === 'feedback-type')) return null;
  return { fields, behind: lines.slice(end) };
}

function isBlockLine(line: string): boolean {
  return isFieldLine(line) || /^[ \t]+\S/.test(line);
}

function attachedReport(mail: ParsedMail): FeedbackReport | null {
  if (isOtherMachineMail(mail)) return null;
  const original = embeddedHeader(mail);
  return original === null ? null : compose('attached', mail, [], original);
}

function inlineReport(mail: ParsedMail): FeedbackReport | null {
  if (isOtherMachineMail(mail)) return null;
  const original = copiedHeader(textLines(mail));
  return original === null ? null : compose('inline', mail, [], original);
}

/**
 * Returns whether the mail is a bounce, a receipt or an automatic reply. These return a message without
 * complaining about it.
 */
function isOtherMachineMail(mail: ParsedMail): boolean {
  if (mail.parts.some(({ type }) => OTHER_REPORTS.test(type))) return true;
  if (/^auto-replied\b/i.test(findField(mail, 'auto-submitted') ?? '')) return true;
  if (findField(mail, 'x-failed-recipients') !== null) return true;
  return /^mailer-daemon@/i.test(mail.from?.email ?? '');
}

function embeddedHeader(mail: ParsedMail): HeaderField[] | null {
  const messages = mail.parts.filter(
    ({ type, filename }) => RETURNED_TYPES.includes(type) || /\.eml$/i.test(filename ?? ''),
  );
  for (const { content } of messages.slice(0, MAX_MESSAGES)) {
    const { fields } = readFieldBlock(splitLines(partText(content)));
    if (fields.length > 0) return fields;
  }
  return null;
}

function textLines(mail: ParsedMail): string[] {
  return splitLines(mail.text ?? '');
}

/** Returns the first header copied into a text, with or without ">". */
function copiedHeader(lines: readonly string[]): HeaderField[] | null {
  const bare = lines.map((line) => line.replace(/^(?:> ?){1,3}(?!From )/, ''));
  for (let at = 0; at < bare.length;) {
    if (!isFieldLine(bare[at] ?? '')) {
      at += 1;
      continue;
    }
    const block: FieldBlock = readFieldBlock(bare, at);
    if (isCopiedHeader(block.fields)) return block.fields;
    at = Math.max(block.end, at + 1);
  }
  return null;
}

function isCopiedHeader(fields: readonly HeaderField[]): boolean {
  const traces = new Set(fields.map(({ name }) => name).filter((name) => TRACE_FIELDS.includes(name)));
  return fields.length >= MIN_COPIED_FIELDS && traces.size >= MIN_TRACE_FIELDS;
}

function compose(
  form: FeedbackReport['form'],
  mail: ParsedMail,
  fields: readonly HeaderField[],
  original: readonly HeaderField[],
): FeedbackReport {
  const valueOf = (name: string): string | null => findField({ fields }, name);
  const valuesOf = (name: string): string[] =>
    fields.filter((field) => field.name === name).map(({ value }) => value);
  return {
    form,
    type: feedbackType(mail, fields),
    userAgent: word(valueOf('user-agent')),
    originalMailFrom: addressIn(valueOf('original-mail-from')),
    originalRecipients: distinct([
      ...valuesOf('original-rcpt-to').flatMap((value) => value.split(',')),
      ...valuesOf('removal-recipient'),
      ...[...mail.fields, ...original]
        .filter(({ name }) => name === 'x-hmxmroriginalrecipient')
        .map(({ value }) => value),
    ]),
    // Received-Date is its name in the drafts and in software written for them.
    arrivalDate: readDate(withoutComments(valueOf('arrival-date') ?? valueOf('received-date') ?? '')),
    sourceIp: word(valueOf('source-ip')),
    reportedDomains: distinct(valuesOf('reported-domain')).map((domain) => domain.toLowerCase()),
    incidents: readIncidents(valueOf('incidents')),
    original,
  };
}

function feedbackType(mail: ParsedMail, fields: readonly HeaderField[]): FeedbackType {
  const stated = findField({ fields }, 'feedback-type');
  if (stated !== null) {
    const letters = withoutComments(stated)
      .toLowerCase()
      .replace(/[^a-z]/g, '');
    return TYPE_WORDS.get(letters) ?? 'other';
  }
  // The type is mandatory. If it is missing, other fields or the subject may show it; otherwise nearly all reports are `abuse`.
  if (findField({ fields }, 'auth-failure') !== null) return 'auth-failure';
  return /\bnot[ -]?(?:spam|junk)\b/i.test(mail.subject.slice(0, 998)) ? 'not-spam' : 'abuse';
}

function withoutComments(value: string): string {
  return value
    .slice(0, MAX_WORD)
    .replace(/\([^()]*\)/g, ' ')
    .trim();
}

function word(value: string | null): string | null {
  const text = value === null ? '' : value.slice(0, MAX_WORD).trim();
  return text === '' ? null : text;
}

/** Returns an address without brackets and without its type (`rfc822;`). */
function addressIn(value: string | null): string | null {
  if (value === null) return null;
  const bare = value.slice(0, MAX_WORD).replace(/^\s*(?:rfc822|utf-8)\s*;/i, '');
  return word(/<([^<>]*)>/.exec(bare)?.[1] ?? bare);
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values.flatMap((value) => addressIn(value) ?? []))].slice(0, MAX_LISTED);
}

function readIncidents(value: string | null): number {
  const count = /^\d{1,9}$/.test(value ?? '') ? Number(value) : 1;
  return Math.min(Math.max(count, 1), MAX_INCIDENTS);
}
