// Composes delivery reports for submitters as multipart/report of type delivery-status (RFC 3464, RFC 3461
// section 6, RFC 6522; non-ASCII addresses RFC 6533).
import { isUtf8 } from 'node:buffer';
import { factsOfHeader, foldField, formatDate, isSevenBit, type Mailbox, readHeader } from '../mime/index.js';
import type { DsnAction } from './dsn-part.js';
import { decodeUnitext, decodeXtext } from './xtext.js';

/** The outcome of one recipient. The peer's text may contain anything. */
export interface DsnRecipient {
  action: DsnAction;
  /** ORCPT as written, in xtext: `rfc822;ann+2Bx@example.com`. */
  originalRecipient: string | null;
  /** The envelope recipient. */
  finalRecipient: string;
  /** RFC 3463 code. A generic code replaces it if it is invalid or contradicts the action. */
  status: string | null;
  /** The server that replied; `null` if none did. */
  remoteMta: string | null;
  /** `smtp`: the server's reply with its code. `x-service`: Mailkeel's own text. */
  diagnostic: { type: 'smtp' | 'x-service'; text: string } | null;
  /** Epoch ms, like the next. */
  lastAttemptAt: number | null;
  /** The end of retries, for a delay. */
  retryUntil: number | null;
}

export interface DsnInput {
  /** The server's host name. */
  reportingMta: string;
  /** The person responsible for this mail system. */
  from: Mailbox;
  /** The envelope sender of the message. */
  to: string;
  /** ENVID as written, in xtext. */
  envelopeId: string | null;
  /** Arrival of the message, in epoch ms. */
  arrivedAt: number;
  recipients: readonly DsnRecipient[];
  /** The message as submitted (in its 7-bit form if there is one); `null` if it was deleted. */
  original: Uint8Array | null;
  ret: 'FULL' | 'HDRS' | null;
  /** Largest message returned in full; 256 KiB by default. */
  fullLimitBytes?: number;
}

/**
 * A report to compose with report type `delivery-status` and to send with the null sender (RFC 3461
 * section 6.1).
 */
export interface DsnMail {
  from: Mailbox;
  to: string;
  subject: string;
  text: string;
  headers: [name: string, value: string][];
  /** The report and the returned part of the message, in this order. */
  attachments: { filename: string; contentType: string; content: Buffer }[];
}

const FULL_LIMIT = 256 * 1024;
const MAX_HEADER = 64 * 1024;
const HEADER_LIMITS = { headerBytes: MAX_HEADER, fields: 500 };
const MAX_RECIPIENTS = 100;
const MAX_WORDS = 512;
const MAX_ADDRESS = 320;
const MAX_REFERENCES = 20;
const WRAP_AT = 72;

/**
 * Composes the report. Truncates all foreign text and removes characters that could start a line or a field.
 */
export function composeDsn(input: DsnInput): DsnMail {
  const recipients = input.recipients.slice(0, MAX_RECIPIENTS);
  const returned = returnedPart(input, recipients);
  return {
    from: input.from,
    to: input.to,
    subject: chooseSubject(recipients),
    text: textFor(input, recipients, returned),
    headers: [['Auto-Submitted', 'auto-replied'], ...threadFields(input.original)],
    attachments: [statusPart(input, recipients), ...(returned ? [returned] : [])],
  };
}

type Part = DsnMail['attachments'][number];

function statusPart(input: DsnInput, recipients: readonly DsnRecipient[]): Part {
  const isGlobal = recipients.some(({ finalRecipient, originalRecipient }) =>
    /[^\x00-\x7f]/.test(finalRecipient + originalAddress(originalRecipient, true)),
  );
  const groups = [
    messageFields(input),
    ...recipients.map((recipient) => recipientFields(recipient, isGlobal)),
  ];
  const text = groups.map((group) => group.map((field) => writeField(field, isGlobal)).join('')).join('\r\n');
  return {
    filename: 'delivery-status.txt',
    contentType: isGlobal ? 'message/global-delivery-status' : 'message/delivery-status',
    content: Buffer.from(text, 'utf8'),
  };
}

type Field = [name: string, value: string];

function messageFields({ envelopeId, reportingMta, arrivedAt }: DsnInput): Field[] {
  return [
    // The parameter is xtext but the field is not (RFC 3461 section 6.3).
    ...(envelopeId === null ? [] : [['Original-Envelope-Id', oneLine(decodeXtext(envelopeId))] as Field]),
    ['Reporting-MTA', `dns; ${oneLine(reportingMta)}`],
    ['Arrival-Date', formatDate(arrivedAt)],
  ];
}

function recipientFields(recipient: DsnRecipient, isGlobal: boolean): Field[] {
  const { action, finalRecipient, remoteMta, diagnostic, lastAttemptAt, retryUntil } = recipient;
  const original = originalAddress(recipient.originalRecipient, isGlobal);
  const address = oneLine(finalRecipient, MAX_ADDRESS);
  return [
    ...(original === '' ? [] : [['Original-Recipient', original] as Field]),
    ['Final-Recipient', `${/[^\x00-\x7f]/.test(address) ? 'utf-8' : 'rfc822'}; ${address}`],
    ['Action', action],
    ['Status', reportedStatus(recipient)],
    ...(remoteMta === null ? [] : [['Remote-MTA', `dns; ${oneLine(remoteMta)}`] as Field]),
    ...(diagnostic === null
      ? []
      : [['Diagnostic-Code', `${diagnostic.type}; ${oneLine(diagnostic.text)}`] as Field]),
    ...(lastAttemptAt === null ? [] : [['Last-Attempt-Date', formatDate(lastAttemptAt)] as Field]),
    ...(retryUntil === null || action !== 'delayed'
      ? []
      : [['Will-Retry-Until', formatDate(retryUntil)] as Field]),
  ];
}

/**
 * Formats ORCPT as `type;address` for a field; '' without one. Keeps its 7-bit form if the report must be
 * ASCII.
 */
function originalAddress(orcpt: string | null, isGlobal: boolean): string {
  const [, type = '', encoded = ''] = /^([A-Za-z0-9-]{1,40});(.+)$/s.exec(orcpt ?? '') ?? [];
  if (encoded === '') return '';
  const isUtf8Address = type.toLowerCase() === 'utf-8';
  const address = isUtf8Address ? (isGlobal ? decodeUnitext(encoded) : encoded) : decodeXtext(encoded);
  return `${type}; ${oneLine(address)}`;
}

/** Status classes of each action. 4 with `failed` means that time ran out (RFC 3464 section 2.3.3). */
const CLASSES: Readonly<Record<DsnAction, string>> = {
  failed: '45',
  delayed: '4',
  delivered: '2',
  relayed: '2',
  expanded: '2',
};

function reportedStatus({ action, status }: DsnRecipient): string {
  const classes = CLASSES[action];
  const isFit = /^[245]\.\d{1,3}\.\d{1,3}$/.test(status ?? '') && classes.includes((status ?? '').charAt(0));
  return isFit && status !== null ? status : `${classes.slice(-1)}.0.0`;
}

/**
 * Writes a field with its line end. Non-ASCII fields are not folded, because the part's transfer encoding
 * keeps lines short.
 */
function writeField([name, value]: Field, isGlobal: boolean): string {
  if (isGlobal && /[^\x00-\x7f]/.test(value)) return `${name}: ${value}\r\n`;
  return `${foldField(name, value.replace(/[^\x20-\x7e]/gu, '?'))}\r\n`;
}

/**
 * Returns the part of the message to return. It is complete only for a failure, if requested (RFC 3461
 * section 6.2), if small enough, and if 7-bit, because message/rfc822 allows no encoding (RFC 2046
 * section 5.2.1) and reports are sent as 7-bit.
 */
function returnedPart(
  { original, ret, fullLimitBytes }: DsnInput,
  recipients: readonly DsnRecipient[],
): Part | null {
  if (original === null || original.length === 0) return null;
  const whole = Buffer.from(original.buffer, original.byteOffset, original.byteLength);
  const isAsked = ret === 'FULL' && recipients.some(({ action }) => action === 'failed');
  if (isAsked && whole.length <= (fullLimitBytes ?? FULL_LIMIT) && isSevenBit(whole)) {
    return { filename: 'message.eml', contentType: 'message/rfc822', content: whole };
  }
  const header = cutHeader(whole);
  const isGlobal = !/^[\x00-\x7f]*$/.test(header.toString('latin1')) && isUtf8(header);
  const contentType = isGlobal ? 'message/global-headers' : 'text/rfc822-headers';
  return { filename: 'header.txt', contentType, content: header };
}

/** Returns the header block with CRLF line ends. Cuts a header above 64 KiB at its last whole line. */
function cutHeader(message: Buffer): Buffer {
  const text = message.subarray(0, MAX_HEADER).toString('latin1');
  const end = /\r?\n\r?\n/.exec(text)?.index;
  const whole = message.length <= MAX_HEADER ? text.length : Math.max(text.lastIndexOf('\n'), 0);
  const lines = text
    .slice(0, end ?? whole)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  return Buffer.from(`${lines.map((line) => line.replace(/[\r\0]/g, '')).join('\r\n')}\r\n`, 'latin1');
}

/** Builds fields that make mail programs show the report next to the message (RFC 5322 section 3.6.4). */
function threadFields(original: Uint8Array | null): [string, string][] {
  if (original === null) return [];
  const facts = factsOfHeader(readHeader(original, HEADER_LIMITS));
  const [messageId] = bracketed(facts.messageId === null ? [] : [facts.messageId]);
  if (messageId === undefined) return [];
  const before = bracketed(facts.references);
  const earlier = before.length > 0 ? before : bracketed(facts.inReplyTo).slice(0, 1);
  // The first id names the thread; of the others, the latest matter most.
  const kept =
    earlier.length > MAX_REFERENCES
      ? [...earlier.slice(0, 1), ...earlier.slice(1 - MAX_REFERENCES)]
      : earlier;
  return [
    ['In-Reply-To', messageId],
    ['References', [...kept, messageId].join(' ')],
  ];
}

/** Puts ids in angle brackets; drops those that a header field cannot carry. */
function bracketed(ids: readonly string[]): string[] {
  return ids.filter((id) => /^[!-;=?-~]{1,250}$/.test(id)).map((id) => `<${id}>`);
}

const SUBJECTS: Readonly<Record<DsnAction, string>> = {
  failed: 'Mail not delivered',
  delayed: 'Mail delayed (still retrying)',
  delivered: 'Mail delivered',
  relayed: 'Mail relayed',
  expanded: 'Mail delivered to a list',
};

const SENTENCES: Readonly<Record<DsnAction, string>> = {
  failed: 'Your message could not be delivered to:',
  delayed:
    'Your message has not been delivered to the following recipients yet. No action is needed. Delivery will be retried.',
  delivered: 'Your message was delivered to:',
  relayed:
    'Your message was accepted by the mail server of the following recipients. You will not be notified whether it reaches their mailboxes.',
  expanded: 'Your message was delivered and forwarded to multiple addresses by:',
};

/** Worst first. */
const ORDER: readonly DsnAction[] = ['failed', 'delayed', 'relayed', 'expanded', 'delivered'];

function chooseSubject(recipients: readonly DsnRecipient[]): string {
  return SUBJECTS[ORDER.find((action) => recipients.some((one) => one.action === action)) ?? 'failed'];
}

function textFor(input: DsnInput, recipients: readonly DsnRecipient[], returned: Part | null): string {
  const blocks = [`This is the mail system of ${oneLine(input.reportingMta)}.`];
  for (const action of ORDER) {
    const those = recipients.filter((one) => one.action === action);
    if (those.length > 0) blocks.push(wrap(SENTENCES[action], ''), ...those.map(describe));
  }
  if (returned !== null) {
    const what = returned.contentType === 'message/rfc822' ? 'message' : "message's header";
    blocks.push(wrap(`A machine-readable report and the ${what} follow.`, ''));
  }
  return `${blocks.join('\n\n')}\n`;
}

function describe({ action, finalRecipient, remoteMta, diagnostic, retryUntil }: DsnRecipient): string {
  const lines = [`  <${oneLine(finalRecipient, MAX_ADDRESS)}>`];
  const said = diagnostic === null ? '' : oneLine(diagnostic.text);
  if (said !== '') {
    const who = remoteMta === null || diagnostic?.type !== 'smtp' ? '' : `${oneLine(remoteMta)} said: `;
    lines.push(wrap(who + said, '    '));
  }
  if (action === 'delayed' && retryUntil !== null) {
    lines.push(wrap(`Delivery will be retried until ${formatDate(retryUntil)}.`, '    '));
  }
  return lines.join('\n');
}

function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WRAP_AT) {
      lines.push(indent + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, indent + line].join('\n');
}

/** Cleans foreign text: one line without control characters and bidirectional marks. */
function oneLine(text: string, max = MAX_WORDS): string {
  return text
    .slice(0, 8 * max)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, max);
}
