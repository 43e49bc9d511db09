// Received mail as what it says: header fields, body, parts. RFC 5322, RFC 2045 to 2049, RFC 2183. The package splits
// the MIME tree (mime-split.ts); the header, the charsets and the choice of the body are ours, because the package
// joins named text files to the body, invents dates, and spends time on whatever a header holds.
import { decodeCharset } from './charset.js';
import { factsOfHeader } from './header-mail.js';
import { MAIL_LIMITS, type MailLimits } from './mail-limits.js';
import type { MailPart, ParsedMail } from './parsed-mail.js';
import { readHeader, type ReceivedHeader } from './received-header.js';
import { MailParser, type AttachmentStream, type MailParserOptions, type MessageText } from 'mailparser';
import { shownLine } from './shown-line.js';

// The leaves of a received message's MIME tree, their transfer encodings removed: what is asked of mailparser, and
// nothing else of it. RFC 2045, RFC 2046.
interface Leaf {
  type: string;
  isAttachment: boolean;
  filename: string | null;
  contentId: string | null;
  /** Parameters of its Content-Type. */
  params: Readonly<Record<string, string>>;
  content: Uint8Array;
}

const EMPTY_LEAF: Leaf = {
  type: 'text/plain',
  isAttachment: false,
  filename: null,
  contentId: null,
  params: {},
  content: new Uint8Array(),
};

interface SplitBody {
  leaves: Leaf[];
  /** The text of multiparts without a single part. */
  hollow: Uint8Array[];
  /** Why the leaves behind the last one are missing. */
  problem: string | null;
}

/** The fields that tell the package how to read the body; it gets no other field of the header. */
const MIME_FIELDS = ['content-type', 'content-transfer-encoding', 'content-disposition', 'content-id'];
const MAX_FILENAME = 255;

const OPTIONS = {
  // Without these four, html of 5 MB keeps the package busy for minutes.
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepDeliveryStatus: true,
  // An embedded message is a part, with its octets; not more text of ours.
  ignoreEmbedded: true,
} satisfies MailParserOptions & { ignoreEmbedded: boolean };

/** Never rejects. */
function splitBody(header: ReceivedHeader, body: Buffer, limits: MailLimits): Promise<SplitBody> {
  const parser = new MailParser({
    ...OPTIONS,
    maxHeadSize: limits.headerBytes / 4,
    maxChildNodes: limits.parts,
  } as MailParserOptions);
  const hollowParts = narrow(parser);
  const leaves: Leaf[] = [];
  return new Promise((resolve) => {
    let open = 0;
    let hasEnded = false;
    const finish = (problem: string | null): void => {
      resolve({ leaves, hollow: hollowParts(), problem });
      parser.destroy();
    };
    parser.on('data', (item: AttachmentStream | MessageText) => {
      if (!('release' in item)) return;
      open += 1;
      const chunks: Buffer[] = [];
      // Typed as the oldest kind of stream; it is a readable one.
      const stream = item.content as unknown as NodeJS.ReadableStream;
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        leaves.push(leafOf(item, chunks));
        open -= 1;
        item.release();
        if (hasEnded && open === 0) finish(null);
      });
      stream.on('error', (error: Error) => finish(endedEarly(error, limits)));
    });
    parser.on('end', () => {
      hasEnded = true;
      if (open === 0) finish(null);
    });
    parser.on('error', (error: Error) => finish(endedEarly(error, limits)));
    parser.write(mimeHeader(header));
    parser.end(body);
  });
}

/** The chunks of the package's splitter: a node of the tree, octets of a leaf, octets between parts. */
interface Chunk {
  type: string;
  node?: object;
  value?: Buffer;
  multipart?: string | false;
  parentNode?: object | false;
}

interface ParserInside {
  textTypes: string[];
  processHeaders: (lines: readonly { key: string }[]) => unknown;
  processChunk: (chunk: Chunk, done: (error?: Error) => void) => void;
}

/**
 * Three members of the pinned version that its interface does not show; tests notice when they go. What the package
 * takes for text it decodes and joins by itself, so every leaf is declared an attachment. Of a part's header it reads
 * dates, addresses and lists, which nobody asks for and which let a mail of 30 MB keep it busy for half a minute, so it
 * gets to see what says how to read the part. And a multipart whose boundary is missing or never comes is preamble from
 * end to end, which it drops: the function returned gives what stands there.
 */
function narrow(parser: MailParser): () => Uint8Array[] {
  const inside = parser as unknown as ParserInside;
  const { textTypes, processHeaders, processChunk } = inside;
  if (
    !Array.isArray(textTypes) ||
    typeof processHeaders !== 'function' ||
    typeof processChunk !== 'function'
  ) {
    throw new Error('this version of mailparser is not the one that mime-parse was written for');
  }
  inside.textTypes = [];
  inside.processHeaders = (lines) =>
    processHeaders.call(
      parser,
      MIME_FIELDS.flatMap((name) => lines.find(({ key }) => key === name) ?? []),
    );
  const childless = new Map<object, Buffer[]>();
  inside.processChunk = (chunk, done) => {
    const { type, node, value, multipart, parentNode } = chunk;
    if (type === 'node') {
      if (typeof parentNode === 'object') childless.delete(parentNode);
      if (typeof multipart === 'string') childless.set(chunk, []);
    } else if (node !== undefined && value !== undefined) {
      childless.get(node)?.push(value);
    }
    processChunk.call(parser, chunk, done);
  };
  return () => [...childless.values()].map(concatenated).filter((content) => content.length > 0);
}

/** The fields of the root that say how to read the body; of each the first. */
function mimeHeader({ fields }: ReceivedHeader): Buffer {
  const lines = MIME_FIELDS.flatMap((name) => fields.find((field) => field.name === name)?.line ?? []);
  return Buffer.from(`${lines.map((line) => `${line}\r\n`).join('')}\r\n`, 'latin1');
}

function endedEarly(error: Error & { code?: string }, limits: MailLimits): string {
  if (error.code !== 'EMAXLEN') return `The body is read in part only: ${shownLine(error.message, 200)}.`;
  return /child nodes/.test(error.message)
    ? `The message has more than ${limits.parts} parts; they are not all read.`
    : `The header of a part is longer than ${limits.headerBytes / 4} octets; what follows is not read.`;
}

function leafOf(item: AttachmentStream, chunks: readonly Buffer[]): Leaf {
  const { value, params } = contentTypeOf(item);
  const disposition = item.contentDisposition?.trim().toLowerCase() ?? '';
  // The package guesses a better type from the name of an octet-stream; what was sent is what counts.
  const isGuess = value === 'application/octet-stream';
  const type = (isGuess ? value : item.contentType || 'text/plain').toLowerCase();
  return {
    type: shownLine(type, 200),
    // A disposition that nobody knows counts as attachment (RFC 2183 section 2.8).
    isAttachment: disposition !== '' && disposition !== 'inline',
    filename: cleanFilename(item.filename),
    contentId: cleanContentId(item.contentId),
    params,
    content: concatenated(chunks),
  };
}

function contentTypeOf({ headers }: AttachmentStream): { value: string; params: Record<string, string> } {
  const field = headers.get('content-type');
  if (typeof field !== 'object' || !('params' in field)) return { value: '', params: {} };
  return { value: field.value.toLowerCase(), params: field.params };
}

/** For people to see and to save under: no path, no controls. */
function cleanFilename(filename: string | undefined): string | null {
  if (typeof filename !== 'string') return null;
  const clean = shownLine(filename.replace(/[/\\]/g, '_'), MAX_FILENAME);
  return clean === '' ? null : clean;
}

function cleanContentId(contentId: unknown): string | null {
  if (typeof contentId !== 'string') return null;
  const clean = shownLine(contentId).replace(/^<|>$/g, '').trim().slice(0, 998);
  return clean === '' ? null : clean;
}

/** In a buffer of its own, which a thread can hand over without a copy. */
function concatenated(chunks: readonly Buffer[]): Uint8Array {
  const content = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    content.set(chunk, at);
    at += chunk.length;
  }
  return content;
}

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
  // No reader is shown more, so no more is decoded: a character takes four octets at most in what people use.
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

// Text of `format=flowed` with its soft line breaks removed. RFC 3676 section 4.
interface Paragraph {
  quoteDepth: number;
  text: string;
  isOpen: boolean;
}

/** Lines that flow become one; a quoted line keeps its marks as `>> text`. Line ends are LF. Linear. */
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
