// Stores files in a bucket of an S3-compatible store, with requests signed by AWS Signature Version 4 and
// path-style addresses, which every such store supports. Large files are uploaded in parts to save memory.
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { createAgent } from './agent.js';
import { signAwsRequest } from './aws-signature.js';
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
  /** Fails with status 412 if the object exists. Stores that do not know the condition replace the object, or answer 501. */
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
      const octets = await bucket.callOctets({ method: 'GET', key: prefix + name }, MOST_ANSWER_BYTES);
      return octets && octets.toString();
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
  let knowsConditions = true;
  return {
    /** Stores octets. `isNew` refuses to replace an object, and resolves to false then. */
    async putOctets(name: string, octets: Buffer, isNew = false): Promise<boolean> {
      const put = async (hasCondition: boolean): Promise<void> => {
        const asked = { method: 'PUT', key: prefix + name, body: octets, isNew: hasCondition } as const;
        await (await bucket.call(asked)).body.dump();
      };
      try {
        await put(isNew && knowsConditions);
        return true;
      } catch (error) {
        const status = error instanceof S3Error ? error.status : null;
        if (isNew && status === 412) return false;
        if (!isNew || status !== 501 || !knowsConditions) throw error;
        knowsConditions = false;
        await put(false);
        return true;
      }
    },

    /** Reads an object of up to `most` octets; `null` if there is none. */
    getOctets: (name: string, most: number): Promise<Buffer | null> =>
      bucket.callOctets({ method: 'GET', key: prefix + name }, most),
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
    const signed = await signAwsRequest({
      ...{ method, url: url.href, accessKeyId, secretAccessKey, region, service: 's3' },
      headers: {
        'X-Amz-Content-Sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
        ...(isNew ? { 'If-None-Match': '*' } : {}),
      },
    });
    return agent.request(signed.url, { method, headers: signed.headers, body: body ?? null });
  }

  /** The response has a status below 300, or 404 if `mayMiss`. */
  async function checked(asked: Call, mayMiss: boolean): Promise<Dispatcher.ResponseData> {
    const answer = await once(asked);
    if (answer.statusCode < 300 || (mayMiss && answer.statusCode === 404)) return answer;
    const text = await bodyText(answer);
    const code = /<Code>([\w.]{1,100})<\/Code>/.exec(text)?.[1] ?? `status ${answer.statusCode}`;
    throw new S3Error(`${asked.method} in bucket ${bucket}: ${code}`, answer.statusCode);
  }

  async function retried<T>(work: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await work();
      } catch (error) {
        const why =
          error instanceof S3Error
            ? error
            : new S3Error(`${new URL(endpoint).host} does not respond: ${describe(error)}`, null, {
                cause: error,
              });
        if (!isTemporary(why) || tried === TRIES) throw why;
        await pause(PAUSE_MS * tried);
      }
    }
  }

  /** Retries temporary failures up to the response's headers. */
  const call = (asked: Call, mayMiss = false): Promise<Dispatcher.ResponseData> =>
    retried(() => checked(asked, mayMiss));

  /** Retries temporary failures, also in the middle of the body. `null` without an object. */
  const callOctets = (asked: Call, most: number): Promise<Buffer | null> =>
    retried(async () => {
      const answer = await checked(asked, true);
      const octets = await bodyOctets(answer, most);
      return answer.statusCode === 404 ? null : octets;
    });

  return {
    name: bucket,
    call,
    callOctets,
    callText: (asked: Call): Promise<string> => retried(async () => bodyText(await checked(asked, false))),
    close: () => agent.close(),
  };
}

/** 409 is the answer to a condition while another upload of the object is in progress. */
function isTemporary({ status }: S3Error): boolean {
  return status === null || status === 409 || status === 429 || (status >= 500 && status !== 501);
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
    if (size > most) throw new S3Error('The response of the store is too large.', 200);
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
