// Composes a message from its parts: header fields and a 7-bit MIME body, with identical bytes for identical
// input (RFC 5322, RFC 2045-2047, RFC 2183, RFC 2231, RFC 2387, RFC 6522).
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { cidReferences } from '../html/index.js';
import { formatMailbox, type Mailbox } from './address.js';
import { assertOneLine, encodeText, foldField, parameterized } from './header-field.js';
import { formatDate } from './header-values.js';
import { encodeBase64, encodeTextPart, isSevenBit } from './transfer-encoding.js';

interface ComposeAttachment {
  filename: string;
  /** A media type, optionally with parameters; checked by the caller. */
  contentType: string;
  /**
   * Without angle brackets. The file is inline if the HTML refers to this id; otherwise it is an attachment.
   */
  contentId: string | null;
  content: Buffer;
}

export interface ComposeInput {
  from: Mailbox;
  to: readonly Mailbox[];
  cc: readonly Mailbox[];
  replyTo: readonly Mailbox[];
  subject: string;
  /** Without angle brackets. */
  messageId: string;
  /** Epoch milliseconds; written in UTC. */
  date: number;
  html: string | null;
  text: string | null;
  attachments: readonly ComposeAttachment[];
  /**
   * Makes the message a multipart/report of this type (RFC 6522): the text for people, the attachments for
   * programs.
   */
  reportType?: 'tlsrpt' | 'delivery-status' | null;
  /** Custom fields, already checked. Non-ASCII values become encoded words. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The text from which boundaries are derived, such as the message id. */
  boundarySeed: string;
}

export interface ComposedMessage {
  /**
   * Complete folded fields without a final CRLF, one character per octet. `composeMessage` returns ASCII;
   * relayed mail may contain UTF-8.
   */
  headerLines: string[];
  /** CRLF line ends, ending in CRLF. `composeMessage` returns 7-bit; relayed mail may be 8-bit. */
  body: Buffer;
}

/** A node of the MIME tree, ready to write. */
interface Part {
  headerLines: string[];
  chunks: string[];
}

/** Returns a new boundary for each multipart of a message. */
type NextBoundary = () => string;

/**
 * Composes a message. Text and HTML arrive unchanged, except that each line end becomes CRLF and a lone
 * surrogate U+FFFD. Throws if a header value contains CR, LF or NUL or cannot be folded below 998; callers
 * refuse such input before.
 */
export function composeMessage(input: ComposeInput): ComposedMessage {
  const headerLines = messageHeaderLines(input);
  const isCrowded = input.text !== null && input.html !== null;
  const endsMessage = !isCrowded && input.attachments.length === 0;
  // Neither quoted-printable nor base64 can contain "=_", so only content sent unencoded can contain a
  // boundary.
  for (let round = 0; ; round++) {
    const stem = boundaryStem(input.boundarySeed, round);
    let count = 0;
    const root = contentPart(input, endsMessage, () => `${stem}.${++count}`);
    if (count > 0 && occurs(stem, input)) continue;
    headerLines.push('MIME-Version: 1.0', ...root.headerLines);
    return { headerLines, body: Buffer.from(root.chunks.join(''), 'latin1') };
  }
}

/** Joins header and body into the message, before dot-stuffing. */
export function joinMessage(headerLines: readonly string[], body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${headerLines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

function messageHeaderLines(input: ComposeInput): string[] {
  const lines = [foldField('Date', formatDate(input.date)), foldField('From', formatMailbox(input.from))];
  if (input.to.length > 0)
    lines.push(foldField('To', input.to.map(formatMailbox).join(', '), { utf8: true }));
  if (input.cc.length > 0)
    lines.push(foldField('Cc', input.cc.map(formatMailbox).join(', '), { utf8: true }));
  if (input.replyTo.length > 0)
    lines.push(foldField('Reply-To', input.replyTo.map(formatMailbox).join(', ')));
  lines.push(
    foldField('Message-ID', `<${input.messageId}>`),
    foldField('Subject', encodeText(input.subject)),
  );
  for (const [name, value] of input.headers) lines.push(customField(name, value));
  return lines;
}

function customField(name: string, value: string): string {
  assertOneLine(`header ${name}`, value);
  // ASCII passes unchanged, because the customer wrote anything that looks like an encoded word.
  return foldField(name, /[^\t\x20-\x7e]/.test(value) ? encodeText(value) : value);
}

function boundaryStem(seed: string, round: number): string {
  const digest = createHash('sha256').update(`${round}:${seed}`).digest('base64url');
  return `=_${digest.slice(0, 24)}`;
}

function occurs(stem: string, input: ComposeInput): boolean {
  if (input.text?.includes(stem) === true || input.html?.includes(stem) === true) return true;
  const goesAsIs = (file: ComposeAttachment): boolean =>
    isMessage(file) || input.reportType === 'delivery-status';
  return input.attachments.some((file) => goesAsIs(file) && file.content.includes(stem));
}

function contentPart(input: ComposeInput, endsMessage: boolean, nextBoundary: NextBoundary): Part {
  const inline = inlineFiles(input);
  const attached = input.attachments.filter((file) => !inline.includes(file));
  const parts: Part[] = [];
  if (input.text !== null) parts.push(textPart('plain', input.text, endsMessage));
  if (input.html !== null) {
    const html = textPart('html', input.html, endsMessage);
    const shown = inline.map((file) => filePart(file, 'inline'));
    parts.push(
      shown.length === 0 ? html : multipart('related; type="text/html"', [html, ...shown], nextBoundary()),
    );
  }
  if (parts.length > 1) parts.splice(0, 2, multipart('alternative', [...parts], nextBoundary()));
  if (attached.length > 0) {
    const files = attached.map((file) =>
      input.reportType === 'delivery-status' ? reportPart(file) : filePart(file, 'attachment'),
    );
    const subtype = input.reportType ? `report; report-type="${input.reportType}"` : 'mixed';
    return multipart(subtype, [...parts, ...files], nextBoundary());
  }
  return parts[0] ?? textPart('plain', '', true);
}

function inlineFiles({ html, attachments }: ComposeInput): ComposeAttachment[] {
  const identified = attachments.filter(({ contentId }) => contentId !== null);
  if (html === null || identified.length === 0) return [];
  const isShown = cidReferences(html);
  return identified.filter(({ contentId }) => isShown(contentId ?? ''));
}

function textPart(subtype: 'plain' | 'html', text: string, endsMessage: boolean): Part {
  const { encoding, content } = encodeTextPart(text, endsMessage);
  return {
    headerLines: [`Content-Type: text/${subtype}; charset=utf-8`, `Content-Transfer-Encoding: ${encoding}`],
    chunks: [content],
  };
}

function multipart(subtype: string, parts: readonly Part[], boundary: string): Part {
  const chunks: string[] = [];
  for (const part of parts) {
    chunks.push(`--${boundary}\r\n${part.headerLines.join('\r\n')}\r\n\r\n`, ...part.chunks, '\r\n');
  }
  chunks.push(`--${boundary}--\r\n`);
  return { headerLines: [`Content-Type: multipart/${subtype};\r\n boundary="${boundary}"`], chunks };
}

function isMessage(file: ComposeAttachment): boolean {
  return /^message\//i.test(file.contentType);
}

function filePart(file: ComposeAttachment, disposition: 'inline' | 'attachment'): Part {
  assertOneLine('content type', file.contentType);
  // RFC 2046 forbids base64 for message/* and multipart/*; keeping the bytes matters more than the type.
  const asIs = isMessage(file) && isSevenBit(file.content);
  const isComposite = /^(?:message|multipart)\//i.test(file.contentType);
  const type = isComposite && !asIs ? 'application/octet-stream' : file.contentType;
  const headerLines = [
    foldField('Content-Type', `${type}${nameParameter(file)}`),
    `Content-Transfer-Encoding: ${asIs ? '7bit' : 'base64'}`,
    foldField('Content-Disposition', parameterized(disposition, { filename: file.filename })),
  ];
  if (file.contentId !== null) headerLines.push(foldField('Content-ID', `<${file.contentId}>`));
  return {
    headerLines,
    chunks: [asIs ? file.content.toString('latin1') : encodeBase64(file.content)],
  };
}

/**
 * Writes the machine-readable report or the returned message, without a file name. Only text and the types of
 * RFC 6533 may be encoded.
 */
function reportPart(file: ComposeAttachment): Part {
  if (isSevenBit(file.content)) {
    assertOneLine('content type', file.contentType);
    return {
      headerLines: [foldField('Content-Type', file.contentType), 'Content-Transfer-Encoding: 7bit'],
      chunks: [file.content.toString('latin1')],
    };
  }
  if (!/^(?:message\/global|text\/)/i.test(file.contentType)) return filePart(file, 'attachment');
  const { encoding, content } = isUtf8(file.content)
    ? encodeTextPart(file.content.toString('utf8'), false)
    : { encoding: 'base64', content: encodeBase64(file.content) };
  return {
    headerLines: [foldField('Content-Type', file.contentType), `Content-Transfer-Encoding: ${encoding}`],
    chunks: [content],
  };
}

/**
 * Returns a `name` parameter for receivers that cannot read RFC 2231. Long or non-ASCII names are encoded
 * words, which RFC 2047 section 5 does not allow in a parameter but those receivers decode.
 */
function nameParameter(file: ComposeAttachment): string {
  if (/;\s*name\*?/i.test(file.contentType)) return '';
  return `; name="${encodeText(file.filename).replace(/["\\]/g, '_')}"`;
}
