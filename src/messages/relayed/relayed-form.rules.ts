// Builds submitted mail for sending: its own fields and body unchanged, with the fields that the service adds.
import {
  type ComposedMessage,
  foldField,
  formatDate,
  formatMailbox,
  type Mailbox,
  type RawField,
  rawValue,
  withinLineLength,
} from '../../lib/mime/index.js';
import { isPassedOn, type SubmittedForm } from './submitted-mail.rules.js';

export interface RelayFields {
  /** Printable ASCII. Each replaces the submitter's field of the same name. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Without angle brackets; used if the submitted one is missing or invalid. */
  messageId: string;
  /** Epoch ms; used if the Date field is missing or stale. */
  date: number;
  /** The mail was scheduled or waited long, so the submitted Date is not the time of sending. */
  isDateStale: boolean;
  /** The value of Mailkeel's Received field; `null` to omit it. */
  received: string | null;
  /** Name of this server, which removes submitted Authentication-Results with this name. */
  hostname: string;
  /** Used if the Reply-To field is missing. */
  replyTo: Mailbox | null;
}

const CRLF = Buffer.from('\r\n');

/**
 * Lines (one character per octet) and the body may be 8-bit. The remaining fields and the body keep their octets, with two
 * exceptions: a body without a final CRLF gets one, and parts with lines over 998 octets are encoded, because SMTP cannot transmit
 * them. The service's fields come below the submitter's, except for Received at the top.
 */
export function relayedForm(mail: SubmittedForm, service: RelayFields): ComposedMessage {
  const replaced = new Set(service.headers.map(([name]) => name.toLowerCase()));
  if (mail.messageId === null) replaced.add('message-id');
  if (service.isDateStale) replaced.add('date');
  const kept = mail.fields.filter(
    (field) => isPassedOn(field) && !replaced.has(field.name) && !claimsOurResults(field, service.hostname),
  );
  const has = (name: string): boolean => kept.some((field) => field.name === name);
  const headerLines = kept.map(({ line }) => line);
  if (service.received !== null) headerLines.unshift(foldField('Received', service.received));
  if (!has('date')) headerLines.push(foldField('Date', formatDate(service.date)));
  if (!has('message-id')) headerLines.push(foldField('Message-ID', `<${service.messageId}>`));
  if (!has('reply-to') && service.replyTo)
    headerLines.push(foldField('Reply-To', formatMailbox(service.replyTo)));
  if (!has('mime-version')) headerLines.push('MIME-Version: 1.0');
  for (const [name, value] of service.headers) headerLines.push(foldField(name, value));
  const form = { headerLines, body: endedWithCrlf(mail.body) };
  if (!mail.hasLongLines) return form;
  const fitting = withinLineLength(form);
  if (fitting === null) throw new Error('a mail that was read has lines that cannot be sent');
  return fitting;
}

/** RFC 8601 section 5: authentication results under this server's name that someone else wrote are removed. */
function claimsOurResults(field: RawField, hostname: string): boolean {
  if (field.name !== 'authentication-results') return false;
  const value = rawValue(field).replace(/\([^()]{0,500}\)/g, ' ');
  const authservId = /^\s*"?([^\s;"]+)/.exec(value)?.[1] ?? '';
  return authservId.toLowerCase() === hostname.toLowerCase();
}

function endedWithCrlf(body: Buffer): Buffer {
  const isEnded = body.length === 0 || body.subarray(-CRLF.length).equals(CRLF);
  return isEnded ? body : Buffer.concat([body, CRLF]);
}
