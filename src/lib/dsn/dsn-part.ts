// Reads the machine-readable part of a delivery report, message/delivery-status (RFC 3464 section 2) or
// message/global-delivery-status (RFC 6533 section 4), even if malformed.
import { addressIn, hostIn, replyIn, type QuotedReply } from './dsn-words.js';
import { decodeUnitext } from './xtext.js';

const ACTIONS = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const;
export type DsnAction = (typeof ACTIONS)[number];

/** The fields of one recipient. */
export interface ReportedRecipient {
  /** As written, without its type. Not always a mail address (`nair_s`). */
  finalRecipient: string | null;
  originalRecipient: string | null;
  /** `null` if absent or unknown. */
  action: DsnAction | null;
  /** RFC 3463. */
  status: string | null;
  /** Type of the Diagnostic-Code, such as `smtp` or `x-postfix`. */
  diagnosticType: string | null;
  /** Content of the Diagnostic-Code; empty text without one. */
  reply: QuotedReply;
  remoteMta: string | null;
  /** Epoch ms. */
  willRetryUntil: number | null;
}

export interface DeliveryStatus {
  reportingMta: string | null;
  originalEnvelopeId: string | null;
  /** In their order, at most 100. */
  recipients: readonly ReportedRecipient[];
}

const MAX_RECIPIENTS = 100;
const MAX_VALUE = 4096;
const FIELD = /^([a-z][a-z0-9-]{0,60})[ \t]{0,10}:(.{0,4096})/is;
const PER_MESSAGE = [
  'reporting-mta',
  'original-envelope-id',
  'dsn-gateway',
  'received-from-mta',
  'arrival-date',
];
const ADDRESSES = ['original-recipient', 'final-recipient'];
/** Each of these fields identifies a recipient's group. */
const PER_RECIPIENT = [...ADDRESSES, 'action', 'status', 'diagnostic-code'];
const ONCE = [...ADDRESSES, 'action', 'status'];

/** Values by field name. Line breaks are kept, because a multi-line reply repeats its code on each line. */
type Group = Map<string, string>;

/** Other words used for actions. */
const OTHER_ACTIONS: readonly (readonly [RegExp, DsnAction])[] = [
  [/^(?:fail|error|undeliver|undelivered|bounced|rejected|expired|permanent)/, 'failed'],
  [/^(?:deferred|delay|warning|temporary)/, 'delayed'],
];

/** Returns whether text looks like such a part despite its type: an address field and an action or status. */
export function looksLikeDeliveryStatus(text: string): boolean {
  return (
    /^(?:final|original)-recipient[ \t]{0,10}:/im.test(text) && /^(?:action|status)[ \t]{0,10}:/im.test(text)
  );
}

/**
 * Reads the part; `null` if it has no recipient. Skips text before the fields and tolerates missing blank
 * lines.
 */
export function readDeliveryStatus(text: string): DeliveryStatus | null {
  const message: Group = new Map();
  const groups: Group[] = [];
  let last: { group: Group; name: string } | null = null;
  let isApart = true;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') {
      last = null;
      isApart = true;
      continue;
    }
    const [, written, value = ''] = FIELD.exec(line) ?? [];
    // A line that is not a field continues the previous one, even without indentation.
    if (written === undefined || /^[ \t]/.test(line)) {
      if (last) append(last.group, last.name, line.trim());
      continue;
    }
    const name = written.toLowerCase();
    const group: Group = PER_MESSAGE.includes(name) ? message : groupFor(groups, name, isApart);
    isApart = false;
    if (group.has(name)) {
      last = null;
      continue;
    }
    group.set(name, value.trim());
    last = { group, name };
  }
  const recipients = groups
    .filter((group) => PER_RECIPIENT.some((name) => group.has(name)))
    .slice(0, MAX_RECIPIENTS)
    .map(readRecipient);
  if (recipients.length === 0) return null;
  return {
    reportingMta: readHost(message.get('reporting-mta')),
    originalEnvelopeId: message.get('original-envelope-id')?.replaceAll('\n', '') || null,
    recipients,
  };
}

function append(group: Group, name: string, words: string): void {
  group.set(name, `${group.get(name) ?? ''}\n${words}`.trim().slice(0, MAX_VALUE));
}

/**
 * Returns the group of a field. Blank lines separate groups; without them, a repeated field starts a new one.
 */
function groupFor(groups: Group[], name: string, isApart: boolean): Group {
  const group = groups.at(-1);
  if (!group) return begin(groups);
  const isAddress = ADDRESSES.includes(name);
  const hasAddress = ADDRESSES.some((field) => group.has(field));
  const isDone = group.has('action') || group.has('status');
  const repeats = ONCE.includes(name) && group.has(name);
  const begins = isAddress && isDone && (hasAddress || isApart);
  return repeats || begins ? begin(groups) : group;
}

function begin(groups: Group[]): Group {
  const group: Group = new Map();
  // Groups beyond the limit are dropped.
  if (groups.length <= 4 * MAX_RECIPIENTS) groups.push(group);
  return group;
}

function readRecipient(group: Group): ReportedRecipient {
  const { type, value } = typed(group.get('diagnostic-code') ?? '');
  const status = group.get('status') ?? '';
  const comment = /\(([^()]{1,300})\)/.exec(status)?.[1] ?? '';
  return {
    finalRecipient: recipientAddress(group.get('final-recipient')),
    originalRecipient: recipientAddress(group.get('original-recipient')),
    action: readAction(group.get('action')),
    status: /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.exec(status)?.[0] ?? null,
    diagnosticType: type,
    // Some reports only give the reason in a comment of the status.
    reply: value === '' ? { code: null, enhanced: null, text: comment } : quotedReply(value),
    remoteMta: readHost(group.get('remote-mta')),
    willRetryUntil: readTime(group.get('will-retry-until')),
  };
}

/** Reads a reply. A Diagnostic-Code may also contain a success, which is never quoted elsewhere. */
function quotedReply(value: string): QuotedReply {
  const success = /^(2\d\d)[ -](?:(2\.\d{1,3}\.\d{1,3})\b)?/.exec(value);
  if (!success) return replyIn(value);
  return { code: Number(success[1]), enhanced: success[2] ?? null, text: value };
}

/** Splits `type; value`; a value without a type is not changed. */
function typed(text: string): { type: string | null; value: string } {
  const [, type, value = ''] =
    /^[ \t]{0,10}([a-z0-9_./-]{1,60})[ \t]{0,10}(?:\([^()]{0,100}\)[ \t]{0,10})?;(.*)$/is.exec(text) ?? [];
  return type === undefined
    ? { type: null, value: text.trim() }
    : { type: type.toLowerCase(), value: value.trim() };
}

function recipientAddress(text: string | undefined): string | null {
  if (text === undefined) return null;
  const { type, value } = typed(text);
  // Removes brackets, a source route and trailing comments. A local part may contain quotes and apostrophes.
  const quoted = /^[<' ]{0,10}("(?:[^"\\]|\\.){0,128}"@[^\s<>"'(),;]{1,255})/.exec(value)?.[1];
  const bare =
    quoted ??
    value
      .replace(/^[<"' ]{1,10}/, '')
      .replace(/[>"\s].*$/s, '')
      .replace(/^@[^:]{1,255}:/, '')
      .replace(/(^[^@]*|@[^'@]*)'[^@]*$/s, '$1')
      .slice(0, 320);
  const address = type === 'utf-8' ? decodeUnitext(bare) : bare;
  return address === '' ? null : address;
}

function readAction(text: string | undefined): DsnAction | null {
  const word = text?.trim().toLowerCase() ?? '';
  return (
    ACTIONS.find((action) => word.startsWith(action)) ??
    OTHER_ACTIONS.find(([pattern]) => pattern.test(word))?.[1] ??
    null
  );
}

/** Returns the host of `dns; mx.example.com (TCP|…)`; `null` if it has neither name nor address. */
function readHost(text: string | undefined): string | null {
  return text === undefined ? null : hostIn(typed(text).value);
}

function readTime(text: string | undefined): number | null {
  const time = Date.parse(text?.replaceAll('\n', ' ') ?? '');
  return Number.isNaN(time) ? null : time;
}

/** Returns a recipient without facts, for those that only the text names. */
export function emptyRecipient(): ReportedRecipient {
  return {
    finalRecipient: null,
    originalRecipient: null,
    action: null,
    status: null,
    diagnosticType: null,
    reply: { code: null, enhanced: null, text: '' },
    remoteMta: null,
    willRetryUntil: null,
  };
}

/** Returns whether the text is a mail address rather than a name within another system. */
export function isMailAddress(text: string): boolean {
  return addressIn(text)?.address === text;
}
