// Stores files in a bucket of an S3-compatible store, with requests signed by AWS Signature Version 4 and
// path-style addresses, which every such store supports. Large files are uploaded in parts to save memory.
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { Dispatcher } from 'undici';
import { createAgent } from './agent.js';
import { extraAuthorities } from '../tls/index.js';

const MIB = 1024 * 1024;
const PART_BYTES = 16 * MIB;
const MOST_PARTS = 10_000;
const TRIES = 3;
const PAUSE_MS = 1_000;
const CONNECT_MS = 10_000;
/** Aborts a request after this silence; also the time for one part to upload. */
const SILENCE_MS = 120_000;
/** Limit of responses other than files: lists and errors. */
const MOST_ANSWER_BYTES = 4 * MIB;

interface S3Settings {
  /** Such as `https://s3.eu-central-1.amazonaws.com`, without the bucket. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Precedes every name: '' or a path that ends with a slash. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** PEM file of authorities trusted in addition to the public ones. */
  extraCaFile: string | null;
  /** Aborts a request after this silence (ms). Default: two minutes, enough to upload a part of a large file. */
  silenceMs?: number;
}

/** The store did not respond or refused. The message contains neither keys nor signatures. */
class S3Error extends Error {
  /** The HTTP status; `null` without a response. */
  readonly status: number | null;

  constructor(message: string, status: number | null, options?: ErrorOptions) {
    super(message, options);
    this.name = 'S3Error';
    this.status = status;
  }
}

interface Call {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD';
  key: string;
  query?: Record<string, string>;
  body?: Buffer;
  /** Fails with status 412 if the object exists. Stores that do not know the condition replace the object. */
  isNew?: boolean;
}

/** Opens a bucket; `close` it in the end. Every method may reject with an S3Error. */
export function createS3(settings: S3Settings) {
  const { prefix } = settings;
  const bucket = openBucket(settings);

  return {
    ...smallObjects(bucket, prefix),

    async put(name: string, path: string): Promise<void> {
      const key = prefix + name;
      const file = await open(path, 'r');
      try {
        const { size } = await file.stat();
        if (size > PART_BYTES) {
          await putParts(bucket, key, file, size);
          return;
        }
        const answer = await bucket.call({ method: 'PUT', key, body: await readPiece(file, 0, size) });
        await answer.body.dump();
      } finally {
        await file.close();
      }
    },

    /** Writes the object to a new file (0600). */
    async get(name: string, path: string): Promise<void> {
      const answer = await bucket.call({ method: 'GET', key: prefix + name });
      const file = await open(path, 'wx', 0o600);
      try {
        for await (const piece of answer.body) await file.writeFile(piece as Buffer);
        await file.sync();
      } finally {
        await file.close();
      }
    },

    /** Reads a small object; `null` if there is none. */
    async read(name: string): Promise<string | null> {
      const answer = await bucket.call({ method: 'GET', key: prefix + name }, true);
      const text = await bodyText(answer);
      return answer.statusCode === 404 ? null : text;
    },

    /** Returns the size in octets; `null` if there is no such object. */
    async size(name: string): Promise<number | null> {
      const answer = await bucket.call({ method: 'HEAD', key: prefix + name }, true);
      await answer.body.dump();
      return answer.statusCode === 404 ? null : Number(answer.headers['content-length']);
    },

    /** Returns the names below the prefix, without it: those that begin with `start` and sort after `after`. */
    async list(start = '', after = ''): Promise<string[]> {
      const names: string[] = [];
      let next: string | null = null;
      do {
        const page: string = await bucket.callText({
          method: 'GET',
          key: '',
          query: {
            ...{ 'list-type': '2', prefix: prefix + start },
            ...(after === '' ? {} : { 'start-after': prefix + after }),
            ...(next === null ? {} : { 'continuation-token': next }),
          },
        });
        for (const [, key = ''] of page.matchAll(/<Key>([^<]*)<\/Key>/g)) {
          names.push(plainText(key).slice(prefix.length));
        }
        next = page.includes('<IsTruncated>true<') ? elementText(page, 'NextContinuationToken') : null;
      } while (next !== null);
      return names;
    },

    async remove(name: string): Promise<void> {
      await (await bucket.call({ method: 'DELETE', key: prefix + name }, true)).body.dump();
    },

    close: () => bucket.close(),
  };
}

type Bucket = ReturnType<typeof openBucket>;

/** Objects that fit in memory. */
function smallObjects(bucket: Bucket, prefix: string) {
  return {
    /** Stores octets. `isNew` refuses to replace an object, and resolves to false then. */
    async putOctets(name: string, octets: Buffer, isNew = false): Promise<boolean> {
      try {
        const answer = await bucket.call({ method: 'PUT', key: prefix + name, body: octets, isNew });
        await answer.body.dump();
        return true;
      } catch (error) {
        if (isNew && error instanceof S3Error && (error.status === 412 || error.status === 409)) return false;
        throw error;
      }
    },

    /** Reads an object of up to `most` octets; `null` if there is none. */
    async getOctets(name: string, most: number): Promise<Buffer | null> {
      const answer = await bucket.call({ method: 'GET', key: prefix + name }, true);
      const octets = await bodyOctets(answer, most);
      return answer.statusCode === 404 ? null : octets;
    },
  };
}

/** Makes signed requests to a bucket. */
function openBucket(settings: S3Settings) {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, extraCaFile } = settings;
  const agent = createAgent({
    connect: { timeout: CONNECT_MS },
    extraCa: extraAuthorities(extraCaFile),
    headersTimeout: settings.silenceMs ?? SILENCE_MS,
    bodyTimeout: settings.silenceMs ?? SILENCE_MS,
  });

  async function once({
    method,
    key,
    query = {},
    body,
    isNew = false,
  }: Call): Promise<Dispatcher.ResponseData> {
    const path = [bucket, ...(key === '' ? [] : key.split('/'))].map(encodeURIComponent).join('/');
    const url = new URL(`${endpoint.replace(/\/+$/, '')}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signed = await new AwsV4Signer({
      ...{ method, url: url.href, accessKeyId, secretAccessKey, region, service: 's3' },
      headers: {
        'X-Amz-Content-Sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
        ...(isNew ? { 'If-None-Match': '*' } : {}),
      },
    }).sign();
    const headers = Object.fromEntries(signed.headers as unknown as Iterable<[string, string]>);
    return agent.request(signed.url, { method, headers, body: body ?? null });
  }

  /** Retries temporary failures. The response has a status below 300, or 404 if `mayMiss`. */
  async function call(asked: Call, mayMiss = false): Promise<Dispatcher.ResponseData> {
    for (let tried = 1; ; tried++) {
      let why: S3Error;
      try {
        const answer = await once(asked);
        if (answer.statusCode < 300 || (mayMiss && answer.statusCode === 404)) return answer;
        const text = await bodyText(answer);
        const code = /<Code>([\w.]{1,100})<\/Code>/.exec(text)?.[1] ?? `status ${answer.statusCode}`;
        why = new S3Error(`${asked.method} in bucket ${bucket}: ${code}`, answer.statusCode);
      } catch (error) {
        why = new S3Error(`${new URL(endpoint).host} does not respond: ${describe(error)}`, null, {
          cause: error,
        });
      }
      const mayHelp = why.status === null || why.status === 429 || why.status >= 500;
      if (!mayHelp || tried === TRIES) throw why;
      await pause(PAUSE_MS * tried);
    }
  }

  return {
    name: bucket,
    call,
    callText: async (asked: Call): Promise<string> => bodyText(await call(asked)),
    close: () => agent.close(),
  };
}

/** Uploads in parts, which become visible together. */
async function putParts(bucket: Bucket, key: string, file: FileHandle, sizeBytes: number): Promise<void> {
  const uploadId = elementText(
    await bucket.callText({ method: 'POST', key, query: { uploads: '' } }),
    'UploadId',
  );
  const size = Math.max(PART_BYTES, Math.ceil(sizeBytes / MOST_PARTS / MIB) * MIB);
  try {
    let parts = '';
    for (let number = 1; (number - 1) * size < sizeBytes; number++) {
      const body = await readPiece(
        file,
        (number - 1) * size,
        Math.min(size, sizeBytes - (number - 1) * size),
      );
      const query = { partNumber: String(number), uploadId };
      const answer = await bucket.call({ method: 'PUT', key, query, body });
      await answer.body.dump();
      const tag = String(answer.headers['etag'] ?? '').replace(/[<>&]/g, '');
      parts += `<Part><PartNumber>${number}</PartNumber><ETag>${tag}</ETag></Part>`;
    }
    const body = Buffer.from(`<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`);
    const ended = await bucket.callText({ method: 'POST', key, query: { uploadId }, body });
    // This response may have status 200 and contain an error.
    if (ended.includes('<Error>'))
      throw new S3Error(`Can't combine the uploaded parts in bucket ${bucket.name}.`, 200);
  } catch (error) {
    await bucket.call({ method: 'DELETE', key, query: { uploadId } }, true).then(
      (answer) => answer.body.dump(),
      () => undefined, // The store or its owner removes the parts eventually; the first error matters more.
    );
    throw error;
  }
}

async function readPiece(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const piece = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(piece, filled, length - filled, from + filled);
    if (bytesRead === 0) throw new Error('The file became shorter while it was being read.');
    filled += bytesRead;
  }
  return piece;
}

async function bodyText(answer: Dispatcher.ResponseData): Promise<string> {
  return (await bodyOctets(answer, MOST_ANSWER_BYTES)).toString();
}

async function bodyOctets({ body }: Dispatcher.ResponseData, most: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += (piece as Buffer).length;
    if (size > most) throw new Error('the response is too large');
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

function elementText(xml: string, element: string): string {
  const [, text] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? [];
  if (text === undefined) throw new S3Error(`The response of the store has no ${element}.`, 200);
  return plainText(text);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function plainText(xml: string): string {
  return xml.replace(/&(?:#(\d{1,6})|(\w+));/g, (whole, code?: string, name?: string) =>
    code === undefined ? (ENTITIES[name ?? ''] ?? whole) : String.fromCodePoint(Number(code)),
  );
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  return 'code' in error ? String(error.code) : error.message;
}
