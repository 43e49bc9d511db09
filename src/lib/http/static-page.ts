// Pages and files that stay the same for the life of the process: compressed once, for the first who takes it so; sent with an ETag.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The parts that stay the same for a release. */
const CACHE = 'public, max-age=300';

/** Of 11; the highest takes a second for what this does in a few hundredths. */
const BROTLI_QUALITY = 6;

type Encoding = 'br' | 'gzip';

/** A page or file in the encodings that it is sent in, as octets, which connections share. */
export interface StaticPage {
  type: string;
  /** For Cache-Control. */
  cache: string;
  etag: string;
  plain: Buffer;
  /** Null for what is compressed already. */
  compressed: Record<Encoding, () => Promise<Buffer>> | null;
}

/** Made at the first call; a failure is tried again. */
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

/** A page that is compressed, in the threads of Node's pool, when it is first taken so. */
export function staticPage(type: string, content: string | Buffer, cache = CACHE): StaticPage {
  const plain = typeof content === 'string' ? Buffer.from(content) : content;
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const compressed = {
    br: once(() => promisify(brotliCompress)(plain, { params })),
    gzip: once(() => promisify(gzip)(plain)),
  };
  return { type, cache, etag: tagOf(plain), plain, compressed };
}

/** Octets that are sent as they are. */
export function staticFile(type: string, plain: Buffer, cache = CACHE): StaticPage {
  return { type, cache, etag: tagOf(plain), plain, compressed: null };
}

/** Weak: the same for every encoding. */
function tagOf(plain: Buffer): string {
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
  // Before the headers: an answer about a failure must not be cached.
  const compressed = isKnown || encoding === null ? undefined : await page.compressed?.[encoding]();
  reply.headers({ 'cache-control': page.cache, etag: page.etag, vary });
  if (isKnown) return reply.status(304).send();
  if (compressed !== undefined) reply.header('content-encoding', encoding);
  return reply.type(page.type).send(compressed ?? page.plain);
}

/** Compared weakly (RFC 9110 section 13.1.2). */
function namesTag(header: string | undefined, etag: string): boolean {
  const opaque = etag.slice('W/'.length);
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(opaque);
}

/** The content coding to answer with (RFC 9110 section 12.5.3): the smaller one that Accept-Encoding does not refuse by `q=0`. */
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
