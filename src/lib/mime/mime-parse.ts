// Received mail as what it says: header fields, body, parts. RFC 5322, RFC 2045 to 2049, RFC 2183. The package splits
// the MIME tree (mime-split.ts); the header, the charsets and the choice of the body are ours, because the package
// joins named text files to the body, invents dates, and spends time on whatever a header holds.
import { decodeCharset } from './charset.js';
import { joinFlowedLines } from './flowed-text.js';
import { factsOfHeader } from './header-mail.js';
import { MAIL_LIMITS, type MailLimits } from './mail-limits.js';
import { EMPTY_LEAF, splitBody, type Leaf } from './mime-split.js';
import type { MailPart, ParsedMail } from './parsed-mail.js';
import { readHeader } from './received-header.js';

const BODY_TYPES = { text: 'text/plain', html: 'text/html' } as const;

/**
 * Parses a message of CRLF or LF lines. The body is the text/plain and text/html leaves that are neither attachments
 * nor named, several of a kind joined in their order (a mailing list's footer, text between pictures); every other
 * leaf is a part, embedded messages as `message/rfc822` with their octets, in the order of the message. Line ends of
 * text and html are LF, NUL is left out, flowed text is joined. Never rejects for what a peer wrote: what could not
 * be read is named in `problems`.
 */
export async function parseMail(raw: Uint8Array, limits: MailLimits = MAIL_LIMITS): Promise<ParsedMail> {
  const header = readHeader(raw, limits);
  const facts = factsOfHeader(header);
  const octets = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const body = octets.subarray(header.bodyStart);
  const { leaves, hollow, problem } = await splitBody(header, body, limits);
  const problems = problem === null ? [...facts.problems] : [...facts.problems, problem];
  if (hollow.length > 0) problems.push('A multipart has no parts; what stands there is taken as text.');
  leaves.push(...hollow.map((content) => ({ ...EMPTY_LEAF, content })));
  const chosen = chooseBody(leaves);
  const text = bodyOf(chosen.text, 'text', limits.bodyLength, problems);
  const html = bodyOf(chosen.html, 'html', limits.bodyLength, problems);
  const shown = new Set([...(text.isCut ? [] : chosen.text), ...(html.isCut ? [] : chosen.html)]);
  const inlineIds = contentIdsIn(html.content);
  const parts = leaves.filter((leaf) => !shown.has(leaf)).map((leaf) => partOf(leaf, inlineIds));
  return { ...facts, text: text.content, html: html.content, parts, problems };
}

/** A mail whose only text has a name is still a mail with a text. */
function chooseBody(leaves: readonly Leaf[]): { text: Leaf[]; html: Leaf[] } {
  const inline = leaves.filter((leaf) => !leaf.isAttachment);
  const ofType = (type: string, isNamed: boolean): Leaf[] =>
    inline.filter((leaf) => leaf.type === type && (leaf.filename !== null) === isNamed);
  const text = ofType(BODY_TYPES.text, false);
  const html = ofType(BODY_TYPES.html, false);
  if (text.length + html.length > 0) return { text, html };
  return { text: ofType(BODY_TYPES.text, true).slice(0, 1), html: ofType(BODY_TYPES.html, true).slice(0, 1) };
}

function bodyOf(
  leaves: readonly Leaf[],
  kind: keyof typeof BODY_TYPES,
  limit: number,
  problems: string[],
): { content: string | null; isCut: boolean } {
  if (leaves.length === 0) return { content: null, isCut: false };
  // Nobody is shown more, so no more is decoded: a character takes four octets at most in what people use.
  const octetLimit = 4 * limit;
  const content = leaves.map((leaf) => textOf(leaf, kind, octetLimit)).join('\n');
  const isWhole = content.length <= limit && leaves.every((leaf) => leaf.content.length <= octetLimit);
  if (isWhole) return { content, isCut: false };
  problems.push(`The ${kind} is longer than ${limit} characters; it is cut, and whole among the parts.`);
  return { content: content.slice(0, limit).toWellFormed(), isCut: true };
}

function textOf(leaf: Leaf, kind: keyof typeof BODY_TYPES, octetLimit: number): string {
  const { params } = leaf;
  const content = leaf.content.subarray(0, octetLimit);
  const charset = params.charset ?? (kind === 'html' ? charsetInHtml(content) : null);
  const text = decodeCharset(content, charset).replaceAll('\r\n', '\n').replaceAll('\0', '');
  const isFlowed = kind === 'text' && params.format?.trim().toLowerCase() === 'flowed';
  return isFlowed ? joinFlowedLines(text, params.delsp?.trim().toLowerCase() === 'yes') : text;
}

/** The charset that html names itself, looked for where it has to stand. */
function charsetInHtml(content: Uint8Array): string | null {
  const start = Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, 1_024));
  return /<meta[^>]{1,200}charset=["']?([a-z0-9_:.-]{2,40})/i.exec(start.toString('latin1'))?.[1] ?? null;
}

/** The content ids that the html shows. RFC 2392. */
function contentIdsIn(html: string | null): Set<string> {
  const ids = (html ?? '').matchAll(/\bcid:([^"'\s<>)]{1,998})/gi);
  return new Set([...ids].flatMap(([, id = '']) => [id, percentDecoded(id)]));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded at all.
    return text;
  }
}

function partOf(leaf: Leaf, inlineIds: ReadonlySet<string>): MailPart {
  const { type, filename, contentId, content } = leaf;
  return { type, filename, contentId, isInline: contentId !== null && inlineIds.has(contentId), content };
}
