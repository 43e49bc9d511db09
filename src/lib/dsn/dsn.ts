// Reads returned mail: standard reports (RFC 3464, RFC 6533), malformed ones, and other formats described by
// config/dsn-rules.json.
import type { DsnRules } from './dsn-formats.js';
import { readOriginalFields } from './dsn-original.js';
import {
  emptyRecipient,
  looksLikeDeliveryStatus,
  readDeliveryStatus,
  type DeliveryStatus,
  type ReportedRecipient,
} from './dsn-part.js';
import { splitParagraphs, readTextReport, reportLines, type TextReport } from './dsn-text.js';
import { addressesInWords, replyIn } from './dsn-words.js';
import { findField, type HeaderField, type ParsedMail } from '../mime/index.js';
import { partText } from './report-fields.js';

/** A delivery report. Its sender proves nothing, so identify the message by a signed token. */
export interface BounceReport {
  /** `standard`, `rejection`, `unrecognized`, or the name of a format in config/dsn-rules.json. */
  format: string;
  /** The format is so general that only a code in the text counts. */
  isGuess: boolean;
  reportingMta: string | null;
  originalEnvelopeId: string | null;
  /** At least one. */
  recipients: readonly ReportedRecipient[];
  /** Paragraphs of the human-readable part if there is a machine-readable one; otherwise empty. */
  words: readonly string[];
  /** Header fields of the returned message, unfolded and not decoded; empty if none was returned. */
  original: readonly HeaderField[];
}

const STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status', 'message/delivery_status'];
/** Types under which a mislabeled status part occurs. */
const OTHER_TYPES = [
  'text/plain',
  'application/octet-stream',
  'text/rfc822-headers',
  'message/rfc822-headers',
];
/** Reports of other kinds: read receipts (RFC 8098), complaints (RFC 5965). */
const OTHER_REPORTS = [
  'message/disposition-notification',
  'message/global-disposition-notification',
  'message/feedback-report',
];

/**
 * Reads a delivery report. Returns `null` for other mail, such as a reply, a read receipt, a complaint or a
 * confirmation request.
 */
export function readBounceReport(mail: ParsedMail, rules: DsnRules): BounceReport | null {
  if (isOtherReport(mail)) return null;
  const lines = reportLines(mail, rules);
  const text = readTextReport(mail, lines, rules);
  const status = findDeliveryStatus(mail, lines.report);
  if (!status && (!text || text.action === 'none')) return null;
  return {
    format: status ? 'standard' : (text?.format ?? 'standard'),
    isGuess: status ? false : (text?.isGuess ?? false),
    reportingMta: status?.reportingMta ?? null,
    originalEnvelopeId: status?.originalEnvelopeId ?? null,
    recipients: status ? completed(status.recipients, text) : (text?.recipients ?? []),
    words: status ? splitParagraphs(lines.report) : [],
    original: readOriginalFields(mail, lines.original),
  };
}

/** The format of returned mail that no entry of config/dsn-rules.json matches. */
export const UNRECOGNIZED_FORMAT = 'unrecognized';

/**
 * Reads the report in mail to the signed return path of a message. Besides delivery reports, accepts
 * rejections after delivery and any mail from a mail system; its text names the addresses, and all of it is
 * the reply.
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
  const rejection = readRejectedRecipient(mail);
  if (rejection === null && (!isFromMailSystem || isKnownAsOther)) return null;
  const text = splitParagraphs(lines.report).join('\n');
  // A person's signature contains their own address.
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
 * Returns the recipient of a read receipt that reports automatic deletion: Sieve's `reject` (RFC 5429
 * section 2.2) and full Dovecot mailboxes. `null` for other mail.
 */
function readRejectedRecipient(mail: ParsedMail): string | null {
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
  const type = findField(mail, 'content-type') ?? '';
  return (
    /report-type\s?=\s?"?(?:disposition-notification|feedback-report)/i.test(type.slice(0, 1000)) ||
    mail.parts.some((part) => OTHER_REPORTS.includes(part.type))
  );
}

function findDeliveryStatus(mail: ParsedMail, report: readonly string[]): DeliveryStatus | null {
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

/** Adds facts that only the text contains to the standard groups: the remote reply and the action. */
function completed(groups: readonly ReportedRecipient[], text: TextReport | null): ReportedRecipient[] {
  if (!text || text.isGuess || text.action === 'none') return [...groups];
  const { recipients } = text;
  return groups.map((group) => {
    const same =
      recipients.find(({ finalRecipient }) => finalRecipient === group.finalRecipient) ??
      (groups.length === 1 && recipients.length === 1 ? recipients[0] : undefined);
    if (!same) return group;
    // Exim writes Diagnostic-Code only for replies of another server; its own explanation is in the text.
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
