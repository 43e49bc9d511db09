// Serves pages and files that never change while the process runs: compressed once on first use, with an
// ETag.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** For content that stays the same for a release. */
const CACHE = 'public, max-age=300';

/** Quality 6 of 11, because the highest takes a second where this takes a few hundredths. */
const BROTLI_QUALITY = 6;

type Encoding = 'br' | 'gzip';

/** A page or file in its encodings, as octets that connections share. */
export interface StaticPage {
  type: string;
  /** Cache-Control. */
  cache: string;
  etag: string;
  plain: Buffer;
  /** `null` for content that is already compressed. */
  compressed: Record<Encoding, () => Promise<Buffer>> | null;
}

/** Calls `make` at the first call and keeps the result. Retries after a failure. */
export function once<T>(make: () => T | Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= (async () => make())().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Prepares a page that is compressed in Node's thread pool on first use. */
export function staticPage(type: string, content: string | Buffer, cache = CACHE): StaticPage {
  const plain = typeof content === 'string' ? Buffer.from(content) : content;
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const compressed = {
    br: once(() => promisify(brotliCompress)(plain, { params })),
    gzip: once(() => promisify(gzip)(plain)),
  };
  return { type, cache, etag: weakTag(plain), plain, compressed };
}

/** Prepares octets that are sent uncompressed. */
export function staticFile(type: string, plain: Buffer, cache = CACHE): StaticPage {
  return { type, cache, etag: weakTag(plain), plain, compressed: null };
}

/** Returns a weak tag, the same for every encoding. */
function weakTag(plain: Buffer): string {
  return `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`;
}

export async function sendStatic(
  page: StaticPage,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const vary = reply.getHeader('vary') === 'Accept' ? 'Accept, Accept-Encoding' : 'Accept-Encoding';
  const encoding = page.compressed === null ? null : encodingFor(headers['accept-encoding']);
  const isKnown = namesTag(headers['if-none-match'], page.etag);
  // Compressed before the headers are set, because an error response must not be cached.
  const compressed = isKnown || encoding === null ? undefined : await page.compressed?.[encoding]();
  reply.headers({ 'cache-control': page.cache, etag: page.etag, vary });
  if (isKnown) return reply.status(304).send();
  if (compressed !== undefined) reply.header('content-encoding', encoding);
  return reply.type(page.type).send(compressed ?? page.plain);
}

/** Compares weakly (RFC 9110 section 13.1.2). */
function namesTag(header: string | undefined, etag: string): boolean {
  const opaque = etag.slice('W/'.length);
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(opaque);
}

/**
 * Chooses the content coding (RFC 9110 section 12.5.3): the smallest one that Accept-Encoding lists without
 * `q=0`.
 */
function encodingFor(header: string | string[] | undefined): Encoding | null {
  const accepted = [header ?? '']
    .flat()
    .join()
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .filter(([, ...rest]) => !rest.some((piece) => /^q=0(\.0*)?$/.test(piece)))
    .map(([coding]) => coding);
  return (['br', 'gzip'] as const).find((coding) => accepted.includes(coding)) ?? null;
}
