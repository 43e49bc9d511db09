// Parses received mail into header fields, body and parts (RFC 5322, RFC 2045 to 2049, RFC 2183). The package
// only splits the MIME tree of mail that plain-mail.ts cannot read. Header, charsets and the choice of the
// body are handled here, because the package joins named text files to the body, invents dates, and spends
// time on irrelevant header fields.
import {
  cleanContentId,
  cleanFilename,
  contentOfLeaves,
  factsOfHeader,
  type Leaf,
  MAIL_LIMITS,
  type MailContent,
  type MailLimits,
  type ParsedMail,
  plainContent,
  readHeader,
  type ReceivedHeader,
  shownLine,
  extractSignedEntity,
  extractTnefLeaves,
  uudecoded,
} from '../mime/index.js';
import { MailParser, type AttachmentStream, type MessageText, type StructuredHeader } from 'mailparser';
import { isFalseBase64, repairedBody } from './part-repair.js';

const EMPTY_LEAF: Leaf = {
  type: 'text/plain',
  isAttachment: false,
  filename: null,
  contentId: null,
  params: {},
  content: new Uint8Array(),
};

/** Opaque signatures opened per mail. They may be nested, and each may have as many parts as a mail. */
const MAX_SIGNED = 4;

interface SplitBody {
  leaves: Leaf[];
  /** The text of multiparts without any part. */
  hollow: Uint8Array[];
  /** The reason why leaves after the last one are missing. */
  problem: string | null;
}

/** The only header fields that the package gets, to know how to read the body. */
const MIME_FIELDS = ['content-type', 'content-transfer-encoding', 'content-disposition', 'content-id'];

const OPTIONS = {
  // Without these four, HTML of 5 MB keeps the package busy for minutes.
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepDeliveryStatus: true,
  // Keeps an embedded message as a part with its octets, rather than as more text.
  ignoreEmbedded: true,
};

/** Splits the body into leaves with their transfer encodings removed (RFC 2045, RFC 2046). Never rejects. */
function splitBody(header: ReceivedHeader, body: Buffer, limits: MailLimits): Promise<SplitBody> {
  const parser = new MailParser({
    ...OPTIONS,
    maxHeadSize: limits.headerBytes / 4,
    maxChildNodes: limits.parts,
  });
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
      // Declared as the oldest kind of stream, but it is a readable one.
      const stream = item.content as unknown as NodeJS.ReadableStream;
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        leaves.push(toLeaf(item, chunks));
        open -= 1;
        item.release?.();
        if (hasEnded && open === 0) finish(null);
      });
      stream.on('error', (error: Error) => finish(endedEarly(error, limits)));
    });
    parser.on('end', () => {
      hasEnded = true;
      if (open === 0) finish(null);
    });
    parser.on('error', (error: Error) => finish(endedEarly(error, limits)));
    const lines = mimeFields(header, body);
    parser.write(Buffer.from([...lines, '', ''].join('\r\n'), 'latin1'));
    parser.end(repairedBody(lines, body));
  });
}

/** A chunk of the package's splitter: a node of the tree, octets of a leaf, or octets between parts. */
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
 * Restricts the package through three members of the pinned version that its interface does not expose; tests
 * fail if they change. Every leaf is declared an attachment, because the package decodes and joins text
 * itself. Part headers are reduced to the MIME fields, because the package would parse dates, addresses and
 * lists, which takes half a minute for a mail of 30 MB. A multipart without a valid boundary is all preamble,
 * which the package drops; the returned function recovers it.
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

/** Returns the first of each root field that describes how to read the body, without false base64. */
function mimeFields({ fields }: ReceivedHeader, body: Buffer): string[] {
  return MIME_FIELDS.flatMap((name) => fields.find((field) => field.name === name)?.line ?? []).filter(
    (line) => !isFalseBase64(line, body),
  );
}

function endedEarly(error: Error & { code?: string }, limits: MailLimits): string {
  if (error.code !== 'EMAXLEN') return `The body was only partly read: ${shownLine(error.message, 200)}.`;
  return /child nodes/.test(error.message)
    ? `The message has more than ${limits.parts} parts, so some were not read.`
    : `The header of a part is longer than ${limits.headerBytes / 4} bytes, so the rest was not read.`;
}

function toLeaf(item: AttachmentStream, chunks: readonly Buffer[]): Leaf {
  const { value, params } = readContentType(item);
  const disposition = item.contentDisposition?.trim().toLowerCase() ?? '';
  // The package guesses a type from the file name of an octet-stream; keep the declared one.
  const isGuess = value === 'application/octet-stream';
  const type = (isGuess ? value : item.contentType || 'text/plain').toLowerCase();
  const content = concatenated(chunks);
  const encoding = item.headers.get('content-transfer-encoding');
  const isUuencoded = typeof encoding === 'string' && /^x-?uu(?:e|encode)?$|^uuencode$/i.test(encoding);
  return {
    type: shownLine(type, 200),
    // An unknown disposition counts as attachment (RFC 2183 section 2.8).
    isAttachment: disposition !== '' && disposition !== 'inline',
    filename: cleanFilename(item.filename),
    contentId: cleanContentId(item.contentId),
    params,
    content: isUuencoded ? (uudecoded(content) ?? content) : content,
  };
}

function readContentType({ headers }: AttachmentStream): { value: string; params: Record<string, string> } {
  // The package parses this field into a StructuredHeader, but declares any field's value.
  const field = headers.get('content-type') as StructuredHeader | undefined;
  return { value: field?.value.toLowerCase() ?? '', params: field?.params ?? {} };
}

/** Concatenates into a new buffer, which a thread can transfer without copying. */
function concatenated(chunks: readonly Buffer[]): Uint8Array {
  const content = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    content.set(chunk, at);
    at += chunk.length;
  }
  return content;
}

/**
 * Parses a message with CRLF or LF lines. The body consists of the text/plain and text/html leaves that are
 * neither attachments nor named; several of a kind are joined in order (a mailing list's footer, text between
 * pictures). Every other leaf is a part, in the order of the message; embedded messages are `message/rfc822`
 * with their octets. Text and HTML have LF line ends, no NUL, and joined flowed lines. Never rejects because
 * of the message; `problems` lists what could not be read.
 */
export async function parseMail(raw: Uint8Array, limits: MailLimits = MAIL_LIMITS): Promise<ParsedMail> {
  const header = readHeader(raw, limits);
  const octets = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const body = octets.subarray(header.bodyStart);
  const facts = factsOfHeader(header);
  const problems = [...facts.problems];
  const content =
    plainContent(header.fields, body, limits, problems) ??
    (await contentByPackage(header, body, limits, problems));
  return { ...facts, ...content, problems };
}

/** Parses the content of any mail. Adds sentences about unreadable content to `problems`. Never rejects. */
export async function contentByPackage(
  header: ReceivedHeader,
  body: Buffer,
  limits: MailLimits,
  problems: string[],
): Promise<MailContent> {
  const leaves = await leavesByPackage(header, body, limits, problems, { signed: 0 });
  return contentOfLeaves(leaves, limits, problems);
}

async function leavesByPackage(
  header: ReceivedHeader,
  body: Buffer,
  limits: MailLimits,
  problems: string[],
  opened: { signed: number },
): Promise<Leaf[]> {
  const { leaves, hollow, problem } = await splitBody(header, body, limits);
  if (problem !== null) problems.push(problem);
  if (hollow.length > 0) problems.push('A multipart has no parts, so its content was read as text.');
  const all: Leaf[] = [];
  for (const leaf of leaves) {
    const entity = opened.signed < MAX_SIGNED ? await extractSignedEntity(leaf) : null;
    if (entity !== null) {
      opened.signed += 1;
      problems.push('The text is in an S/MIME signature, which was not verified.');
      const inner = readHeader(entity, limits);
      all.push(...(await leavesByPackage(inner, entity.subarray(inner.bodyStart), limits, problems, opened)));
    }
    all.push(...(extractTnefLeaves(leaf) ?? []), leaf);
  }
  return [...all, ...hollow.map((content) => ({ ...EMPTY_LEAF, content }))];
}
