// A received message once it is parsed: the shape that everything after the parser reads.
import type { Mailbox } from './address.js';

/** One header field in its order; unfolded, encoded words decoded, controls removed. */
export interface HeaderField {
  /** Lower case. */
  name: string;
  value: string;
}

/** A leaf of the MIME tree besides the body: a file, an inline image, a report part, an embedded message. */
export interface MailPart {
  /** `type/subtype`, lower case, such as `message/delivery-status`. */
  type: string;
  filename: string | null;
  /** Without angle brackets. */
  contentId: string | null;
  /** Shown inside the html, by its content id. */
  isInline: boolean;
  /** Transfer encoding removed. */
  content: Uint8Array;
}

export interface ParsedMail {
  fields: readonly HeaderField[];
  /** The first mailbox of From; null when there is none that can be read. */
  from: Mailbox | null;
  replyTo: readonly Mailbox[];
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  subject: string;
  /** Without angle brackets, as are the two below. */
  messageId: string | null;
  inReplyTo: readonly string[];
  /** Oldest first. */
  references: readonly string[];
  /** Epoch ms of the Date field. */
  date: number | null;
  /** The body as it was sent; nothing is derived from the other part. */
  text: string | null;
  html: string | null;
  parts: readonly MailPart[];
  /** The parts that were left out, and why: limits of count or size that were reached. Empty for ordinary mail. */
  problems: readonly string[];
}

/** The value of the first field of that name (lower case); null without one. */
export function fieldOf(mail: Pick<ParsedMail, 'fields'>, name: string): string | null {
  return mail.fields.find((field) => field.name === name)?.value ?? null;
}
