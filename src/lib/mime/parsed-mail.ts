// Defines a parsed message as all later stages read it.
import type { Mailbox } from './address.js';

/** A header field in its order; unfolded, decoded, without control characters. */
export interface HeaderField {
  /** Lower case. */
  name: string;
  value: string;
}

/**
 * A leaf of the MIME tree outside the body: a file, an inline image, a report part or an embedded message.
 */
export interface MailPart {
  /** `type/subtype`, lower case, such as `message/delivery-status`. */
  type: string;
  filename: string | null;
  /** Without angle brackets. */
  contentId: string | null;
  /** Shown in the HTML by its content id. */
  isInline: boolean;
  /** Transfer encoding removed. */
  content: Uint8Array;
}

export interface ParsedMail {
  fields: readonly HeaderField[];
  /** The first mailbox of From; `null` if none is readable. */
  from: Mailbox | null;
  replyTo: readonly Mailbox[];
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  subject: string;
  /** Without angle brackets, like the next two. */
  messageId: string | null;
  inReplyTo: readonly string[];
  /** Oldest first. */
  references: readonly string[];
  /** Epoch ms of the Date field. */
  date: number | null;
  /** The text as sent, not derived from the HTML; likewise the HTML. */
  text: string | null;
  html: string | null;
  parts: readonly MailPart[];
  /** Sentences about parts left out because of limits. Empty for ordinary mail. */
  problems: readonly string[];
}

/** Returns the value of the first field with that name (lower case), or `null`. */
export function findField(mail: Pick<ParsedMail, 'fields'>, name: string): string | null {
  return mail.fields.find((field) => field.name === name)?.value ?? null;
}
