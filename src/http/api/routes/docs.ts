// The description of the API for programs and for people.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { STYLESHEET, STYLESHEET_PATH } from '../../html.js';
import type { Api } from '../api.js';
import { docsPage } from '../docs-page.js';
import type { Described } from '../docs-page.js';

const config = { public: true };
const CACHE = 'public, max-age=300';
/** Of 11; the highest takes a second for what this does in a few hundredths. */
const BROTLI_QUALITY = 6;

/** A text in the forms that it is sent in, as octets, which connections share while they are sent. */
interface Page {
  type: string;
  etag: string;
  plain: Buffer;
  gzip: Buffer;
  br: Buffer;
}

export function docsRoutes(app: Api): void {
  // both are the same for the life of the process, and made from the finished routes at the first request
  const json = once(() => pageOf('application/json; charset=utf-8', JSON.stringify(app.swagger())));
  // the document as OpenAPI 3.1 defines it
  const described = (): Described => app.swagger() as unknown as Described;
  const readable = once(() => pageOf('text/html; charset=utf-8', docsPage(described())));

  app.get('/openapi.json', { config }, async (request, reply) => sendPage(await json(), request, reply));
  app.get('/docs', { config }, async (request, reply) => sendPage(await readable(), request, reply));
  app.get(STYLESHEET_PATH, { config }, (_request, reply) =>
    reply.header('cache-control', CACHE).type('text/css; charset=utf-8').send(STYLESHEET),
  );
}

/** Made at the first call; a failure is tried again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Compresses in the threads of Node's pool. */
async function pageOf(type: string, text: string): Promise<Page> {
  const plain = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [zipped, br] = await Promise.all([
    promisify(gzip)(plain),
    promisify(brotliCompress)(plain, { params }),
  ]);
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  // weak: the same for every encoding
  return { type, etag: `W/"${digest}"`, plain, gzip: zipped, br };
}

function sendPage(page: Page, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ 'cache-control': CACHE, etag: page.etag, vary: 'Accept-Encoding' });
  if (namesTag(headers['if-none-match'], page.etag)) return reply.status(304).send();
  const encoding = encodingFor(headers['accept-encoding']);
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.type(page.type).send(page[encoding ?? 'plain']);
}

/** Compared weakly (RFC 9110 section 13.1.2). */
function namesTag(header: string | undefined, etag: string): boolean {
  const opaque = etag.slice('W/'.length);
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(opaque);
}

/** What of Accept-Encoding (RFC 9110 section 12.5.3) is taken: the smaller of those that it does not refuse by `q=0`. */
function encodingFor(header: string | string[] | undefined): 'br' | 'gzip' | null {
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
