// A message from its parts: header fields and a 7-bit MIME body, the same bytes for the same input.
// RFC 5322, RFC 2045-2047, RFC 2183 (disposition), RFC 2231 (file names), RFC 2387 (related), RFC 6522 (report).
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { cidReferences } from '../html/index.js';
import { formatMailbox, type Mailbox } from './address.js';
import { assertOneLine, encodeText, foldField, parameterized } from './header-field.js';
import { formatDate } from './header-values.js';
import { encodeBase64, encodeTextPart, isSevenBit } from './transfer-encoding.js';

export interface ComposeAttachment {
  filename: string;
  /** A media type, parameters allowed; checked by the caller. */
  contentType: string;
  /** Without angle brackets. If the html names it, the file is shown inline; otherwise it is an attachment. */
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
  /** Makes it a multipart/report of this type (RFC 6522): the text for people, the attachments for programs. */
  reportType?: 'tlsrpt' | 'delivery-status' | null;
  /** Custom fields, already checked; a value that is not ascii becomes encoded words. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The text that the boundaries are derived from; the message id does. */
  boundarySeed: string;
}

export interface ComposedMessage {
  /**
   * Complete folded fields, none with a CRLF at its end; one character per octet. Those of `composeMessage` are ascii, those
   * of relayed mail need not be.
   */
  headerLines: string[];
  /** CRLF line ends, ends with CRLF; 7-bit from `composeMessage`, maybe 8-bit where it was relayed. */
  body: Buffer;
}

/** A node of the MIME tree, ready to be written. */
interface Part {
  headerLines: string[];
  chunks: string[];
}

/** Gives each multipart of one message its own boundary. */
type NextBoundary = () => string;

/**
 * Composes a message. Text and html arrive as they were given, except that each line end becomes CRLF and a
 * lone surrogate U+FFFD. Throws a plain Error when a header value contains CR, LF or NUL or cannot be folded
 * below 998: callers have refused such input before.
 */
export function composeMessage(input: ComposeInput): ComposedMessage {
  const headerLines = messageHeaderLines(input);
  const isCrowded = input.text !== null && input.html !== null;
  const endsMessage = !isCrowded && input.attachments.length === 0;
  // "=_" can stand in neither quoted-printable nor base64, so only what is sent as it is can hold a boundary
  for (let round = 0; ; round++) {
    const stem = boundaryStem(input.boundarySeed, round);
    let count = 0;
    const root = contentPart(input, endsMessage, () => `${stem}.${++count}`);
    if (count > 0 && occurs(stem, input)) continue;
    headerLines.push('MIME-Version: 1.0', ...root.headerLines);
    return { headerLines, body: Buffer.from(root.chunks.join(''), 'latin1') };
  }
}

/** The whole message as it goes on the wire, before dot-stuffing. */
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
  // ascii passes untouched: what looks like an encoded word here is the customer's own
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
  // RFC 2046 forbids base64 for message/* and multipart/*: bytes come before the type
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
 * The report for programs, or what is returned of the message: without a file name, since it is no file. Only the types
 * of RFC 6533 and text may be encoded.
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
 * The name for receivers that cannot read RFC 2231 in the disposition: in encoded words where it is long or not ascii, which
 * RFC 2047 section 5 does not provide for in a parameter and which those receivers decode.
 */
function nameParameter(file: ComposeAttachment): string {
  if (/;\s*name\*?/i.test(file.contentType)) return '';
  return `; name="${encodeText(file.filename).replace(/["\\]/g, '_')}"`;
}
