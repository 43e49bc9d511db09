// Chooses the text, HTML and remaining parts of a message from the leaves of its MIME tree (RFC 2045,
// RFC 2183, RFC 2392, RFC 3676).
import { decodeCharset } from './charset.js';
import type { MailPart, ParsedMail } from './parsed-mail.js';
import { shownLine } from './shown-line.js';

/** A leaf of the tree, with its transfer encoding removed. */
export interface Leaf {
  type: string;
  isAttachment: boolean;
  filename: string | null;
  contentId: string | null;
  /** Parameters of Content-Type. */
  params: Readonly<Record<string, string>>;
  content: Uint8Array;
}

export type MailContent = Pick<ParsedMail, 'text' | 'html' | 'parts'>;

const MAX_FILENAME = 255;
const BODY_TYPES = { text: 'text/plain', html: 'text/html' } as const;

/**
 * Returns text and HTML of at most `bodyLength` characters, and every leaf not shown in them. Adds a sentence
 * to `problems` for each one truncated.
 */
export function contentOfLeaves(
  leaves: readonly Leaf[],
  { bodyLength }: { bodyLength: number },
  problems: string[],
): MailContent {
  const chosen = chooseBody(leaves);
  const text = joinBody(chosen.text, 'text', bodyLength, problems);
  const html = joinBody(chosen.html, 'html', bodyLength, problems);
  const shown = new Set([...(text.isCut ? [] : chosen.text), ...(html.isCut ? [] : chosen.html)]);
  const inlineIds = contentIdsIn(html.content);
  const parts = leaves.filter((leaf) => !shown.has(leaf)).map((leaf) => toPart(leaf, inlineIds));
  return { text: text.content, html: html.content, parts };
}

/** Returns a file name fit to display and to save under: no path, no control characters. */
export function cleanFilename(filename: string | undefined): string | null {
  if (typeof filename !== 'string') return null;
  const clean = shownLine(filename.replace(/[/\\]/g, '_'), MAX_FILENAME);
  return clean === '' ? null : clean;
}

export function cleanContentId(contentId: unknown): string | null {
  if (typeof contentId !== 'string') return null;
  const clean = shownLine(contentId).replace(/^<|>$/g, '').trim().slice(0, 998);
  return clean === '' ? null : clean;
}

/** Chooses the body. If the only text has a file name, it still is the body. */
function chooseBody(leaves: readonly Leaf[]): { text: Leaf[]; html: Leaf[] } {
  const inline = leaves.filter((leaf) => !leaf.isAttachment);
  const ofType = (type: string, isNamed: boolean): Leaf[] =>
    inline.filter((leaf) => leaf.type === type && (leaf.filename !== null) === isNamed);
  const text = ofType(BODY_TYPES.text, false);
  const html = ofType(BODY_TYPES.html, false);
  if (text.length + html.length > 0) return { text, html };
  return { text: ofType(BODY_TYPES.text, true).slice(0, 1), html: ofType(BODY_TYPES.html, true).slice(0, 1) };
}

function joinBody(
  leaves: readonly Leaf[],
  kind: keyof typeof BODY_TYPES,
  limit: number,
  problems: string[],
): { content: string | null; isCut: boolean } {
  if (leaves.length === 0) return { content: null, isCut: false };
  // Decodes no more than a reader is shown; a character takes at most four octets in practice.
  const octetLimit = 4 * limit;
  const content = leaves.map((leaf) => decodeText(leaf, kind, octetLimit)).join('\n');
  const isWhole = content.length <= limit && leaves.every((leaf) => leaf.content.length <= octetLimit);
  if (isWhole) return { content, isCut: false };
  problems.push(
    `The ${kind} is longer than ${limit} characters; it was truncated. The full ${kind} is among the parts.`,
  );
  return { content: content.slice(0, limit).toWellFormed(), isCut: true };
}

function decodeText(leaf: Leaf, kind: keyof typeof BODY_TYPES, octetLimit: number): string {
  const { params } = leaf;
  const content = leaf.content.subarray(0, octetLimit);
  const charset = params.charset ?? (kind === 'html' ? charsetInHtml(content) : null);
  const text = decodeCharset(content, charset).replaceAll('\r\n', '\n').replaceAll('\0', '');
  const isFlowed = kind === 'text' && params.format?.trim().toLowerCase() === 'flowed';
  return isFlowed ? joinFlowedLines(text, params.delsp?.trim().toLowerCase() === 'yes') : text;
}

/** Returns the charset that HTML declares in its first kilobyte. */
function charsetInHtml(content: Uint8Array): string | null {
  const start = Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, 1_024));
  return /<meta[^>]{1,200}charset=["']?([a-z0-9_:.-]{2,40})/i.exec(start.toString('latin1'))?.[1] ?? null;
}

/** Returns the content ids that the HTML shows (RFC 2392). */
function contentIdsIn(html: string | null): Set<string> {
  const ids = (html ?? '').matchAll(/\bcid:([^"'\s<>)]{1,998})/gi);
  return new Set([...ids].flatMap(([, id = '']) => [id, percentDecoded(id)]));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text is not percent-encoded.
    return text;
  }
}

function toPart(leaf: Leaf, inlineIds: ReadonlySet<string>): MailPart {
  const { type, filename, contentId, content } = leaf;
  return { type, filename, contentId, isInline: contentId !== null && inlineIds.has(contentId), content };
}

// A paragraph of `format=flowed` text (RFC 3676 section 4).
interface Paragraph {
  quoteDepth: number;
  text: string;
  isOpen: boolean;
}

/** Joins flowed lines. Quoted lines keep their marks as `>> text`. Line ends are LF. Linear. */
export function joinFlowedLines(text: string, removesSpace: boolean): string {
  const paragraphs: Paragraph[] = [];
  for (const line of text.split('\n')) {
    const quoteDepth = /^>*/.exec(line)?.[0].length ?? 0;
    const stuffed = line.slice(quoteDepth);
    const content = stuffed.startsWith(' ') ? stuffed.slice(1) : stuffed;
    const isSignatureMark = content === '-- ';
    const isOpen = content.endsWith(' ') && !isSignatureMark;
    const piece = isOpen && removesSpace ? content.slice(0, -1) : content;
    const last = paragraphs.at(-1);
    if (last?.isOpen === true && last.quoteDepth === quoteDepth && !isSignatureMark) {
      last.text += piece;
      last.isOpen = isOpen;
    } else {
      paragraphs.push({ quoteDepth, text: piece, isOpen });
    }
  }
  return paragraphs
    .map(({ quoteDepth, text: content }) =>
      quoteDepth === 0 ? content : `${'>'.repeat(quoteDepth)} ${content}`,
    )
    .join('\n');
}
