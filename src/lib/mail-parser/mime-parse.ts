// Received mail as what it says: header fields, body, parts. RFC 5322, RFC 2045 to 2049, RFC 2183. The package splits
// the MIME tree of mail that is not of the plain form (plain-mail.ts); the header, the charsets and the choice of the body are ours, because the package
// joins named text files to the body, invents dates, and spends time on whatever a header holds.
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
  signedEntityOf,
  tnefLeavesOf,
  uudecoded,
} from '../mime/index.js';
import { MailParser, type AttachmentStream, type MessageText, type StructuredHeader } from 'mailparser';
import { isFalseBase64, repairedBody } from './part-repair.js';

// The leaves of a received message's MIME tree, their transfer encodings removed: what is asked of mailparser, and
// nothing else of it. RFC 2045, RFC 2046.
const EMPTY_LEAF: Leaf = {
  type: 'text/plain',
  isAttachment: false,
  filename: null,
  contentId: null,
  params: {},
  content: new Uint8Array(),
};

/** Signatures that are opened in one mail: one may be inside another, and each holds as many parts as a mail. */
const MAX_SIGNED = 4;

interface SplitBody {
  leaves: Leaf[];
  /** The text of multiparts without a single part. */
  hollow: Uint8Array[];
  /** Why the leaves behind the last one are missing. */
  problem: string | null;
}

/** The fields that tell the package how to read the body; it gets no other field of the header. */
const MIME_FIELDS = ['content-type', 'content-transfer-encoding', 'content-disposition', 'content-id'];

const OPTIONS = {
  // Without these four, html of 5 MB keeps the package busy for minutes.
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepDeliveryStatus: true,
  // An embedded message is a part, with its octets; not more text of ours.
  ignoreEmbedded: true,
};

/** Never rejects. */
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
      // Typed as the oldest kind of stream; it is a readable one.
      const stream = item.content as unknown as NodeJS.ReadableStream;
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        leaves.push(leafOf(item, chunks));
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

/** The fields of the root that say how to read the body; of each the first. Base64 is no encoding of plain text. */
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

function leafOf(item: AttachmentStream, chunks: readonly Buffer[]): Leaf {
  const { value, params } = contentTypeOf(item);
  const disposition = item.contentDisposition?.trim().toLowerCase() ?? '';
  // The package guesses a better type from the name of an octet-stream; what was sent is what counts.
  const isGuess = value === 'application/octet-stream';
  const type = (isGuess ? value : item.contentType || 'text/plain').toLowerCase();
  const content = concatenated(chunks);
  const encoding = item.headers.get('content-transfer-encoding');
  const isUuencoded = typeof encoding === 'string' && /^x-?uu(?:e|encode)?$|^uuencode$/i.test(encoding);
  return {
    type: shownLine(type, 200),
    // A disposition that nobody knows counts as attachment (RFC 2183 section 2.8).
    isAttachment: disposition !== '' && disposition !== 'inline',
    filename: cleanFilename(item.filename),
    contentId: cleanContentId(item.contentId),
    params,
    content: isUuencoded ? (uudecoded(content) ?? content) : content,
  };
}

function contentTypeOf({ headers }: AttachmentStream): { value: string; params: Record<string, string> } {
  // The package parses this field into a StructuredHeader; its type knows only that it is some field's value.
  const field = headers.get('content-type') as StructuredHeader | undefined;
  return { value: field?.value.toLowerCase() ?? '', params: field?.params ?? {} };
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

/**
 * Parses a message of CRLF or LF lines. The body is the text/plain and text/html leaves that are neither attachments
 * nor named, several of a kind joined in their order (a mailing list's footer, text between pictures); every other
 * leaf is a part, embedded messages as `message/rfc822` with their octets, in the order of the message. Line ends of
 * text and html are LF, NUL is left out, flowed text is joined. Never rejects for what a peer wrote: what could not
 * be read is named in `problems`.
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

/** The content of any mail. Sentences about what could not be read are added to `problems`. Never rejects. */
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
    const entity = opened.signed < MAX_SIGNED ? await signedEntityOf(leaf) : null;
    if (entity !== null) {
      opened.signed += 1;
      problems.push('The text is in an S/MIME signature, which was not verified.');
      const inner = readHeader(entity, limits);
      all.push(...(await leavesByPackage(inner, entity.subarray(inner.bodyStart), limits, problems, opened)));
    }
    all.push(...(tnefLeavesOf(leaf) ?? []), leaf);
  }
  return [...all, ...hollow.map((content) => ({ ...EMPTY_LEAF, content }))];
}
