// The mail that tells a submitter what became of a message: an ordinary message of its environment, with the null sender.
import { createHash } from 'node:crypto';
import { envelopeAddress, type Mailbox } from '../../lib/mime/address.js';
import { composeDsn } from '../../lib/dsn/dsn-build.js';
import { splitHeaderBlock } from '../../lib/mime/header-block.js';
import { withinLineLength } from '../../lib/mime/line-length.js';
import { joinMessage } from '../../lib/mime/mime-build.js';
import { toSevenBit } from '../../lib/mime/seven-bit.js';
import { isSevenBit } from '../../lib/mime/transfer-encoding.js';
import type { DsnWish } from '../../lib/dsn/dsn-options.js';
import type { DueReport } from './reports-due.rules.js';
import type { Deliverable } from '../../outbound/deliver/deliverables.store.js';
import { ownDraft } from '../../messages/system-mail/system-draft.js';
import type { Draft } from '../../messages/accept/plan-message.js';

/** A longer message goes back as its header. */
const FULL_LIMIT_BYTES = 256 * 1024;

export interface ReportFacts {
  publicId: string;
  /** Our host name. */
  hostname: string;
  from: Mailbox;
  wish: DsnWish;
  due: DueReport;
  /** When we give up, epoch ms; null when we have ended. */
  retryUntil: number | null;
  reported: Deliverable;
}

export function reportDraft({
  publicId,
  hostname,
  from,
  wish,
  due,
  retryUntil,
  reported,
}: ReportFacts): Draft {
  const { message, raw } = reported;
  // What was to go over verified TLS only does not come back in clear (RFC 8689 section 5).
  const ret = message.require_tls === 1 ? 'HDRS' : wish.ret;
  const dsn = composeDsn({
    reportingMta: hostname,
    from,
    to: wish.sender,
    envelopeId: wish.envid,
    arrivedAt: message.created_at,
    recipients: [
      {
        ...due,
        originalRecipient: wish.orcpt,
        finalRecipient: envelopeAddress(message.to_email),
        retryUntil,
      },
    ],
    original: raw === null ? null : returnable(raw, ret === 'FULL'),
    ret,
    fullLimitBytes: FULL_LIMIT_BYTES,
  });
  return ownDraft({
    publicId,
    to: dsn.to,
    from: dsn.from,
    priority: 'normal',
    subject: dsn.subject,
    text: dsn.text,
    headers: dsn.headers,
    attachments: dsn.attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      cid: null,
      sha256: createHash('sha256').update(content).digest('hex'),
      content,
    })),
    nullSender: true,
  });
}

/** Only with lines that fit, in its 7-bit form, can a message go back whole. */
function returnable(raw: Uint8Array, isWhole: boolean): Uint8Array {
  const octets = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  if (!isWhole || octets.length > FULL_LIMIT_BYTES || isSevenBit(octets)) return octets;
  const block = splitHeaderBlock(octets);
  const whole = block && { headerLines: block.fields.map(({ line }) => line), body: block.body };
  const fitting = whole && withinLineLength(whole);
  const form = fitting && toSevenBit(fitting);
  return form ? joinMessage(form.headerLines, form.body) : octets;
}
