// Understands mail that came back: the standard report (RFC 3464, RFC 6533), its broken forms, and the forms that are
// no standard, by config/dsn-rules.json.
import type { DsnRules } from './dsn-formats.js';
import { readOriginalFields } from './dsn-original.js';
import {
  emptyRecipient,
  looksLikeDeliveryStatus,
  readDeliveryStatus,
  type DeliveryStatus,
  type ReportedRecipient,
} from './dsn-part.js';
import { paragraphsOf, readTextReport, reportLines, type TextReport } from './dsn-text.js';
import { addressesInWords, replyIn } from './dsn-words.js';
import { fieldOf, type HeaderField, type ParsedMail } from '../mime/index.js';
import { partText } from './report-fields.js';

/** A delivery report. Its sender proves nothing: the message must be identified by a token of ours. */
export interface BounceReport {
  /** `standard`, `rejection`, `unrecognized`, or the name of the format in config/dsn-rules.json. */
  format: string;
  /** Words of a form so general that only a code in them counts. */
  isGuess: boolean;
  reportingMta: string | null;
  originalEnvelopeId: string | null;
  /** At least one. */
  recipients: readonly ReportedRecipient[];
  /** Paragraphs of the part for people, beside a part for machines; otherwise empty. */
  words: readonly string[];
  /** Header fields of the message that came back, unfolded and not decoded; empty when none did. */
  original: readonly HeaderField[];
}

const STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status', 'message/delivery_status'];
/** Parts that may be one in disguise. */
const OTHER_TYPES = [
  'text/plain',
  'application/octet-stream',
  'text/rfc822-headers',
  'message/rfc822-headers',
];
/** Reports about something else: read receipts (RFC 8098), complaints (RFC 5965). */
const OTHER_REPORTS = [
  'message/disposition-notification',
  'message/global-disposition-notification',
  'message/feedback-report',
];

/** Null when the mail is no delivery report: an answer, a read receipt, a complaint, a request to confirm something. */
export function readBounceReport(mail: ParsedMail, rules: DsnRules): BounceReport | null {
  if (isOtherReport(mail)) return null;
  const lines = reportLines(mail, rules);
  const text = readTextReport(mail, lines, rules);
  const status = deliveryStatusOf(mail, lines.report);
  if (!status && (!text || text.action === 'none')) return null;
  return {
    format: status ? 'standard' : (text?.format ?? 'standard'),
    isGuess: status ? false : (text?.isGuess ?? false),
    reportingMta: status?.reportingMta ?? null,
    originalEnvelopeId: status?.originalEnvelopeId ?? null,
    recipients: status ? completed(status.recipients, text) : (text?.recipients ?? []),
    words: status ? paragraphsOf(lines.report) : [],
    original: readOriginalFields(mail, lines.original),
  };
}

/** The format of returned mail that no entry of config/dsn-rules.json describes. */
export const UNRECOGNIZED_FORMAT = 'unrecognized';

/**
 * The report in mail that came to the signed return path of a message. Beside delivery reports, these are rejections
 * after delivery, and any mail of a mail system: its text names the addresses, and all of it is the reply.
 */
export function readReturnedMail(
  mail: ParsedMail,
  rules: DsnRules,
  { isFromMailSystem }: { isFromMailSystem: boolean },
): BounceReport | null {
  const report = readBounceReport(mail, rules);
  if (report !== null) return report;
  const lines = reportLines(mail, rules);
  const isKnownAsOther = isOtherReport(mail) || readTextReport(mail, lines, rules)?.action === 'none';
  const rejection = rejectedRecipientOf(mail);
  if (rejection === null && (!isFromMailSystem || isKnownAsOther)) return null;
  const text = paragraphsOf(lines.report).join('\n');
  // A person's signature holds the person's own address.
  const named = addressesInWords(text).filter((address) => address !== mail.from?.email);
  const addresses = rejection === null ? named : [rejection];
  if (addresses.length === 0) return null;
  return {
    format: rejection === null ? UNRECOGNIZED_FORMAT : 'rejection',
    isGuess: rejection === null,
    reportingMta: null,
    originalEnvelopeId: null,
    recipients: addresses.map((finalRecipient) => ({
      ...emptyRecipient(),
      finalRecipient,
      action: 'failed',
      reply: replyIn(text),
    })),
    words: [],
    original: readOriginalFields(mail, lines.original),
  };
}

/**
 * Recipient of a read receipt that says that a program deleted the mail: Sieve's `reject` (RFC 5429 section 2.2) and
 * full mailboxes of Dovecot. Null for other mail.
 */
function rejectedRecipientOf(mail: ParsedMail): string | null {
  for (const { type, content } of mail.parts) {
    if (type !== 'message/disposition-notification') continue;
    const text = partText(content);
    if (/^disposition[ \t]*:[ \t]*automatic-action\/[a-z-]{1,40}[ \t]*;[ \t]*deleted/im.test(text)) {
      return readDeliveryStatus(text)?.recipients[0]?.finalRecipient ?? null;
    }
  }
  return null;
}

function isOtherReport(mail: ParsedMail): boolean {
  const type = fieldOf(mail, 'content-type') ?? '';
  return (
    /report-type\s?=\s?"?(?:disposition-notification|feedback-report)/i.test(type.slice(0, 1000)) ||
    mail.parts.some((part) => OTHER_REPORTS.includes(part.type))
  );
}

function deliveryStatusOf(mail: ParsedMail, report: readonly string[]): DeliveryStatus | null {
  for (const part of mail.parts) {
    if (!STATUS_TYPES.includes(part.type)) continue;
    const status = readDeliveryStatus(partText(part.content));
    if (status) return status;
  }
  const disguised = mail.parts
    .filter(({ type }) => OTHER_TYPES.includes(type))
    .map(({ content }) => partText(content));
  const found = [...disguised, report.join('\n')].find(looksLikeDeliveryStatus);
  return found === undefined ? null : readDeliveryStatus(found);
}

/** The standard groups, with what only the text tells: the remote's words, or what became of the message. */
function completed(groups: readonly ReportedRecipient[], text: TextReport | null): ReportedRecipient[] {
  if (!text || text.isGuess || text.action === 'none') return [...groups];
  const { recipients } = text;
  return groups.map((group) => {
    const same =
      recipients.find(({ finalRecipient }) => finalRecipient === group.finalRecipient) ??
      (groups.length === 1 && recipients.length === 1 ? recipients[0] : undefined);
    if (!same) return group;
    // Exim has a Diagnostic-Code only for what another server said; its own words stand in the text alone.
    const isSilent = group.diagnosticType === null && group.reply.code === null && group.reply.text === '';
    const isReported = same.reply.code !== null || same.reply.text !== '';
    return {
      ...group,
      action: group.action ?? (group.status?.startsWith('2') === true ? null : same.action),
      reply: isSilent && isReported ? same.reply : group.reply,
      remoteMta: group.remoteMta ?? same.remoteMta,
    };
  });
}
