// An in-memory store with the part of S3 that replicas use. It can be slow, refuse, or stop responding. It does not check
// signatures.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const PAGE = 1_000;

export type FakeBucket = Awaited<ReturnType<typeof startFakeBucket>>;

/** `s3://mail/PREFIX` names a replica in it. */
export async function startFakeBucket() {
  const objects = new Map<string, Buffer>();
  const mood = {
    ...{ delayMs: 0, isFailing: false, isSilent: false, isCopySlow: false },
    ...{ knowsConditions: true, refusesConditions: false },
    /** So many uploads are in conflict with another one, and so many downloads lose the connection. */
    ...{ conflicts: 0, cuts: 0 },
  };
  const counts = { puts: 0, gets: 0, lists: 0 };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (mood.isSilent) return;
    await pause(mood.delayMs);
    const url = new URL(request.url ?? '/', 'http://bucket');
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    const end = (status: number, body: Buffer | string = '', headers = {}): void =>
      void response.writeHead(status, headers).end(body);
    while (mood.isCopySlow && key.includes('-base-')) await pause(50);
    if (mood.isFailing) end(503, '<Error><Code>SlowDown</Code></Error>');
    else if (request.method === 'PUT') {
      counts.puts += 1;
      if (request.headers['if-none-match'] === '*') {
        if (mood.refusesConditions) {
          end(501, '<Error><Code>NotImplemented</Code></Error>');
          return;
        }
        if (mood.conflicts > 0) {
          mood.conflicts -= 1;
          end(409, '<Error><Code>ConditionalRequestConflict</Code></Error>');
          return;
        }
      }
      const isCondition = mood.knowsConditions && request.headers['if-none-match'] === '*';
      if (isCondition && objects.has(key)) end(412, '<Error><Code>PreconditionFailed</Code></Error>');
      else {
        objects.set(key, Buffer.concat(chunks));
        end(200);
      }
    } else if (request.method === 'DELETE') {
      objects.delete(key);
      end(204);
    } else if (key === '') {
      counts.lists += 1;
      end(200, listed(objects, url.searchParams));
    } else {
      counts.gets += 1;
      const found = objects.get(key);
      if (found === undefined) end(404, '<Error><Code>NoSuchKey</Code></Error>');
      else if (mood.cuts > 0 && found.length > 1) {
        mood.cuts -= 1;
        response.writeHead(200, { 'content-length': found.length });
        response.write(found.subarray(0, found.length / 2), () => response.destroy());
      } else end(200, request.method === 'HEAD' ? '' : found, { 'content-length': found.length });
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ objects, mood, counts },
    /** Settings of a server that replicates to the bucket. */
    env: (prefix = 'replica') => ({
      MAILKEEL_REPLICA_TO: `s3://mail/${prefix}`,
      MAILKEEL_BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      MAILKEEL_BACKUP_S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      MAILKEEL_BACKUP_S3_SECRET_ACCESS_KEY: 'secret',
    }),
    endpoint: `http://127.0.0.1:${port}`,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listed(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const page = keys.slice(0, PAGE);
  const next = keys.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
  return `<ListBucketResult>${contents}<IsTruncated>${keys.length > PAGE}</IsTruncated>${next}</ListBucketResult>`;
}
