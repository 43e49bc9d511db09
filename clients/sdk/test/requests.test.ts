// Tests what all calls share: retries with one idempotency key, typed errors, timeouts, aborts, and refusals before a request is
// sent.
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InputError,
  NotFoundError,
  PermissionError,
  Mailkeel,
  MailkeelError,
  QuotaError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
  type LogEntry,
  type MailkeelOptions,
} from '../src/index.js';
import {
  answering,
  hangingUp,
  refusing,
  startScriptedServer,
  type Reply,
} from './support/scripted-server.js';

const KEY = `svc_test_${'k'.repeat(43)}`;
const MESSAGE = { to: 'ann@example.com', text: 'Hello' };
const AT_ONCE = { 'retry-after': '0' };
const silent: Reply = () => undefined;

let server: Awaited<ReturnType<typeof startScriptedServer>> | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function clientOf(replies: Reply[], options: MailkeelOptions = {}) {
  server = await startScriptedServer(...replies);
  return { asked: server.asked, mailkeel: new Mailkeel({ apiKey: KEY, baseUrl: server.url, ...options }) };
}

async function failureOf(call: PromiseLike<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error('The call succeeded.');
}

describe('a call that fails temporarily', () => {
  it('is repeated with one idempotency key until it succeeds', async () => {
    const { asked, mailkeel } = await clientOf([
      refusing(503, 'unavailable', AT_ONCE),
      refusing(429, 'rate_limited', AT_ONCE),
      answering(202, { id: 'msg_1' }, { 'idempotent-replayed': 'true' }),
    ]);
    const { data, requestId, replayed } = await mailkeel.messages.create(MESSAGE).withResponse();
    expect({ data, requestId, replayed }).toEqual({
      data: { id: 'msg_1' },
      requestId: 'req_1',
      replayed: true,
    });
    const keys = asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is repeated after a broken connection, and while the key is in use', async () => {
    const { asked, mailkeel } = await clientOf([
      hangingUp,
      refusing(409, 'idempotency_key_in_use', AT_ONCE),
      answering(202, { id: 'msg_1' }),
    ]);
    expect(await mailkeel.messages.create(MESSAGE, { idempotencyKey: 'order-1' })).toEqual({ id: 'msg_1' });
    expect(asked.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-1', 'order-1', 'order-1']);
    expect(new Set(asked.map(({ body }) => body)).size).toBe(1);
  });

  it('uses the key of the body, and sends no other', async () => {
    const { asked, mailkeel } = await clientOf([
      refusing(500, 'internal_error', AT_ONCE),
      answering(202, {}),
    ]);
    await mailkeel.messages.create({ ...MESSAGE, idempotency_key: 'order-2' });
    expect(asked).toHaveLength(2);
    for (const { headers, body } of asked) {
      expect(headers['idempotency-key']).toBeUndefined();
      expect(JSON.parse(body)).toMatchObject({ idempotency_key: 'order-2' });
    }
  });

  it('fails with the last refusal after all retries', async () => {
    const { asked, mailkeel } = await clientOf([refusing(503, 'unavailable', AT_ONCE)]);
    const error = await failureOf(mailkeel.messages.get('msg_1'));
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ status: 503, code: 'unavailable', requestId: 'req_1', retryAfter: 0 });
    expect(asked).toHaveLength(3);
  });

  it('is not repeated if the outcome is unknown, as for an upload without a key', async () => {
    const { asked, mailkeel } = await clientOf([refusing(500, 'internal_error', AT_ONCE)]);
    await expect(mailkeel.imports.create('email\nann@example.com')).rejects.toBeInstanceOf(ServerError);
    expect(asked).toHaveLength(1);
  });

  it('is not repeated if the server requests more than a minute', async () => {
    const { asked, mailkeel } = await clientOf([refusing(429, 'rate_limited', { 'retry-after': '3600' })]);
    const error = await failureOf(mailkeel.messages.get('msg_1'));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfter: 3600 });
    expect(asked).toHaveLength(1);
  });

  it('is not repeated with maxRetries 0', async () => {
    const { asked, mailkeel } = await clientOf([hangingUp], { maxRetries: 0 });
    await expect(mailkeel.messages.get('msg_1')).rejects.toBeInstanceOf(ConnectionError);
    expect(asked).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it.each([
    [400, ValidationError],
    [401, AuthenticationError],
    [402, QuotaError],
    [403, PermissionError],
    [404, NotFoundError],
    [405, ApiError],
    [409, ConflictError],
    [413, ValidationError],
    [422, ValidationError],
  ])('%i is an error of its class', async (status, type) => {
    const { asked, mailkeel } = await clientOf([refusing(status, 'some_code')]);
    const error = await failureOf(mailkeel.messages.create(MESSAGE));
    expect(error).toBeInstanceOf(type);
    expect(error).toBeInstanceOf(MailkeelError);
    expect(error.name).toBe(type.name);
    expect(error).toMatchObject({ status, code: 'some_code', requestId: 'req_1', param: null, problems: [] });
    expect(error.message).toBe(`The server says some_code. (${status} some_code, request req_1)`);
    expect(asked).toHaveLength(1);
  });

  it('names every invalid field', async () => {
    const fields = [{ path: 'subject', message: 'must be a string' }];
    const error = { type: 'validation_error', code: 'validation_error', message: 'No.', param: 'subject' };
    const { mailkeel } = await clientOf([
      answering(422, { error: { ...error, details: { fields }, request_id: 'req_2' } }),
    ]);
    expect(await failureOf(mailkeel.messages.create(MESSAGE))).toMatchObject({
      problems: fields,
      param: 'subject',
      requestId: 'req_2',
    });
  });

  it('names a single invalid field as a problem', async () => {
    const error = { type: 'validation_error', code: 'sender_not_verified', message: 'No.', param: 'from' };
    const { mailkeel } = await clientOf([answering(422, { error: { ...error, request_id: 'req_2' } })]);
    expect(await failureOf(mailkeel.messages.create(MESSAGE))).toMatchObject({
      problems: [{ path: 'from', message: 'No.' }],
    });
  });

  it.each([
    ['a page of a proxy', answering(502, '<html>Bad gateway</html>'), 502, 'without an explanation'],
    ['a success that is no JSON', answering(200, '<html>Hello</html>'), 200, 'Check that baseUrl'],
    [
      'a redirect',
      answering(301, '', { location: 'https://b.example/v1?key=1' }),
      301,
      'redirects to https://b.example/v1.',
    ],
    ['null', answering(500, 'null'), 500, 'without an explanation'],
  ])('that does not come from the API is reported as such: %s', async (_name, reply, status, sentence) => {
    const { mailkeel } = await clientOf([reply], { maxRetries: 0 });
    const error = await failureOf(mailkeel.messages.get('msg_1'));
    expect(error).toMatchObject({ status, code: 'unexpected_answer' });
    expect(error.message).toContain(sentence);
  });
});

it('a failure is reported once by withResponse', async () => {
  const unhandled: unknown[] = [];
  const keep = (reason: unknown): number => unhandled.push(reason);
  process.on('unhandledRejection', keep);
  const { mailkeel } = await clientOf([refusing(404, 'not_found')]);
  await expect(mailkeel.messages.get('msg_1').withResponse()).rejects.toBeInstanceOf(NotFoundError);
  await expect(mailkeel.messages.get('msg_1')).rejects.toBeInstanceOf(NotFoundError);
  await new Promise(setImmediate);
  process.off('unhandledRejection', keep);
  expect(unhandled).toEqual([]);
});

describe('timeouts', () => {
  it('end an attempt, and the call after the last retry', async () => {
    const { asked, mailkeel } = await clientOf([silent], { timeoutMs: 30, maxRetries: 0 });
    const error = await failureOf(mailkeel.messages.create(MESSAGE));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ timeoutMs: 30 });
    expect(asked).toHaveLength(1);
  });

  it('start again with each attempt, with the same key', async () => {
    const { asked, mailkeel } = await clientOf([silent, answering(202, { id: 'msg_1' })], { timeoutMs: 300 });
    await mailkeel.messages.create(MESSAGE);
    expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  it('also end an endless body', async () => {
    const half: Reply = (response) => void response.writeHead(200).write('{"id":');
    const { mailkeel } = await clientOf([half], { timeoutMs: 30, maxRetries: 0 });
    await expect(mailkeel.messages.get('msg_1')).rejects.toBeInstanceOf(TimeoutError);
  });
});

describe('a signal', () => {
  it('ends the call with its own reason, during an attempt', async () => {
    const ending = new AbortController();
    const reason = new Error('The user has left.');
    const { mailkeel } = await clientOf([() => ending.abort(reason)]);
    const { signal } = ending;
    expect(await failureOf(mailkeel.messages.create(MESSAGE, { signal }))).toBe(reason);
  });

  it('ends the call during a retry delay, and before it begins', async () => {
    const ending = new AbortController();
    const { asked, mailkeel } = await clientOf([refusing(503, 'unavailable', { 'retry-after': '60' })], {
      log: ({ retryInMs }) => retryInMs !== null && ending.abort(),
    });
    const { signal } = ending;
    expect(await failureOf(mailkeel.messages.get('msg_1', { signal }))).toMatchObject({ name: 'AbortError' });
    expect(await failureOf(mailkeel.messages.get('msg_1', { signal }))).toMatchObject({ name: 'AbortError' });
    expect(asked).toHaveLength(1);
  });
});

describe('problems found without a request', () => {
  const refused = (options: MailkeelOptions | string): InputError => {
    try {
      new Mailkeel(options);
    } catch (error) {
      if (error instanceof InputError) return error;
      throw error;
    }
    throw new Error('The options were taken.');
  };
  const baseUrl = 'https://mail.example.test';

  it.each([
    ['an empty key', { apiKey: '' }, 'apiKey is empty'],
    ['a key of somebody else', { apiKey: 're_123456789' }, 'must begin with svc_live_ or svc_test_'],
    ['a key cut off', { apiKey: 'svc_live_abc' }, 'and be complete'],
    ['a line break behind it', { apiKey: `${KEY}\n` }, 'starts or ends with whitespace'],
    ['the other environment', { apiKey: KEY, environment: 'live' as const }, 'Use a svc_live_ key'],
    ['a workspace for a key', { apiKey: KEY, workspace: 'ws_1' }, 'can only be set with a session'],
    ['key and session', { apiKey: KEY, session: { csrfToken: 'x' } }, 'not both'],
    ['no URL', { apiKey: KEY, baseUrl: 'mail.example.com' }, 'must be a URL'],
    [
      'a user in the URL',
      { apiKey: KEY, baseUrl: 'https://a:b@mail.example.com' },
      'must not contain credentials',
    ],
    ['no retries', { apiKey: KEY, maxRetries: -1 }, 'from 0 to 10'],
    ['no time', { apiKey: KEY, timeoutMs: 0 }, 'greater than 0'],
    ['an empty sub-tenant', { apiKey: KEY, subTenant: '' }, 'subTenant must be'],
  ])('are reported: %s', (_name, options, sentence) => {
    const error = refused({ baseUrl, ...options });
    expect(error.message).toContain(sentence);
    expect(error.problems.length).toBeGreaterThan(0);
    const key = 'apiKey' in options ? options.apiKey.trim() : '';
    if (key !== '') expect(`${JSON.stringify(error)} ${error.stack ?? ''}`).not.toContain(key);
  });

  it('include all problems of a message, and nothing is sent', async () => {
    const { asked, mailkeel } = await clientOf([answering(202, {})]);
    const create = (body: unknown): PromiseLike<unknown> => mailkeel.messages.create(body as typeof MESSAGE);
    const paths = async (body: unknown): Promise<string[]> => {
      const error = await failureOf(create(body));
      return error instanceof InputError ? error.problems.map(({ path }) => path) : [error.message];
    };
    expect(await paths({})).toEqual(['to', 'html']);
    expect(await paths({ to: [], text: 'Hello' })).toEqual(['to']);
    expect(await paths({ to: 'nobody', text: 'Hello' })).toEqual(['to']);
    expect(await paths({ to: [{ email: 'ann@example.com' }, { name: 'Ann' }], text: '' })).toEqual(['to']);
    expect(await paths({ ...MESSAGE, html: '', react: {} })).toEqual(['react']);
    expect(await paths({ ...MESSAGE, attachments: [{ content: 'YQ==' }] })).toEqual([
      'attachments.0.filename',
    ]);
    expect(await paths({ ...MESSAGE, attachments: [{ filename: 'a', content: 4 }] })).toEqual([
      'attachments.0.content',
    ]);
    expect(await paths({ ...MESSAGE, attachments: [{ path: '/none/file' }] })).toEqual([
      'attachments.0.path',
    ]);
    expect(await paths(undefined)).toEqual(['']);
    expect(await failureOf(mailkeel.messages.createBatch({ messages: [] }))).toBeInstanceOf(InputError);
    expect(await failureOf(mailkeel.imports.create(''))).toBeInstanceOf(InputError);
    expect(await failureOf(mailkeel.messages.get('msg_1', { timeoutMs: -1 }))).toBeInstanceOf(InputError);
    expect(await failureOf(mailkeel.messages.get('msg_1', { maxRetries: Infinity }))).toBeInstanceOf(
      InputError,
    );
    expect(await failureOf(mailkeel.messages.get('msg_1', { idempotencyKey: 'a' }))).toBeInstanceOf(
      InputError,
    );
    expect(await failureOf(mailkeel.messages.create(MESSAGE, { idempotencyKey: 'ä b' }))).toBeInstanceOf(
      InputError,
    );
    expect(asked).toHaveLength(0);
  });

  it('never include a secret of a header, a connection error or the log', async () => {
    const entries: LogEntry[] = [];
    const { mailkeel } = await clientOf([hangingUp], { log: (entry) => entries.push(entry), maxRetries: 0 });
    const errors = [
      await failureOf(mailkeel.messages.create(MESSAGE)),
      await failureOf(mailkeel.messages.get('msg_1', { headers: { 'X-Own': 'a\nsecret-value' } })),
      await failureOf(mailkeel.messages.get('msg_1', { headers: { Authorization: 'secret-value' } })),
      await failureOf(mailkeel.withSubTenant('ü\nsecret-value').me.get()),
    ];
    const shown = inspect(mailkeel, { depth: 6 });
    const said = JSON.stringify([
      shown,
      errors.map(({ message, stack }) => ({ message, stack })),
      entries,
      mailkeel,
    ]);
    expect(said).not.toContain(KEY);
    expect(said).not.toContain('secret-value');
    expect(entries[0]).toMatchObject({
      route: 'POST /v1/messages',
      attempt: 1,
      status: null,
      retryInMs: null,
    });
  });
});

describe('a request', () => {
  it('has the query in API form, without undefined values', async () => {
    const { asked, mailkeel } = await clientOf([
      answering(200, { object: 'list', data: [], has_more: false }),
    ]);
    await mailkeel.messages.list({
      status: ['bounced', 'failed'],
      metadata: { order: '47 11', 'a&b': 'c' },
      in_doubt: false,
      limit: 5,
    });
    const url = new URL(asked[0]?.url ?? '', 'http://localhost');
    expect([...url.searchParams]).toEqual([
      ['status', 'bounced'],
      ['status', 'failed'],
      ['metadata[order]', '47 11'],
      ['metadata[a&b]', 'c'],
      ['in_doubt', 'false'],
      ['limit', '5'],
    ]);
  });

  it('names the sub-tenant, and the scope of a session with its cookie and token', async () => {
    const { asked, mailkeel } = await clientOf([answering(200, {})]);
    await mailkeel.withSubTenant('external:4711').me.get();
    const url = server?.url ?? '';
    const session = new Mailkeel({ baseUrl: url, session: { token: 'tok', csrfToken: 'csrf' } });
    await session.withEnvironment('test').withWorkspace('ws_1').contacts.delete('con_1');
    expect(asked[0]?.headers).toMatchObject({
      'x-sub-tenant-id': 'external:4711',
      authorization: `Bearer ${KEY}`,
    });
    expect(asked[1]?.headers).toMatchObject({
      cookie: 'mailkeel_session=tok',
      'x-csrf-token': 'csrf',
      'x-environment': 'test',
      'x-workspace-id': 'ws_1',
    });
    expect(asked[1]?.headers.authorization).toBeUndefined();
    expect(() => mailkeel.withEnvironment('live')).toThrow(InputError);
  });

  it('contains files in base64, from octets, Blobs, streams and paths', async () => {
    const { asked, mailkeel } = await clientOf([answering(202, {})]);
    const octets = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 7) % 256);
    const { createReadStream } = await import('node:fs');
    await mailkeel.messages.create({
      ...MESSAGE,
      attachments: [
        { filename: 'octets', content: octets },
        { filename: 'part', content: octets.subarray(10, 20) },
        { filename: 'buffer', content: octets.buffer },
        { filename: 'blob', content: new Blob([octets]) },
        { filename: 'stream', content: new Blob([octets]).stream() },
        { filename: 'node', content: createReadStream('LICENSE') as AsyncIterable<Uint8Array> },
        { filename: 'text', content: 'SGVsbG8=' },
        { path: 'LICENSE', content_type: 'text/plain' },
      ],
    });
    const { attachments } = JSON.parse(asked[0]?.body ?? '') as {
      attachments: { filename: string; content: string }[];
    };
    const { readFileSync } = await import('node:fs');
    const [whole, license] = [
      Buffer.from(octets).toString('base64'),
      readFileSync('LICENSE').toString('base64'),
    ];
    const part = Buffer.from(octets.subarray(10, 20)).toString('base64');
    expect(attachments.map(({ content }) => content)).toEqual([
      ...[whole, part, whole, whole, whole],
      ...[license, 'SGVsbG8=', license],
    ]);
    expect(attachments.at(-1)).toEqual({ filename: 'LICENSE', content: license, content_type: 'text/plain' });
  });

  it('contains React elements as HTML', async () => {
    const { createElement } = await import('react');
    const { asked, mailkeel } = await clientOf([answering(202, {})], {});
    await mailkeel.messages.create({ to: 'ann@example.com', react: createElement('p', null, 'Hello <Ann>') });
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      to: 'ann@example.com',
      html: expect.stringContaining('<p>Hello &lt;Ann&gt;</p>') as string,
    });
  });

  it('is an unchanged upload with its media type', async () => {
    const { asked, mailkeel } = await clientOf([answering(202, {})]);
    await mailkeel.imports.create('email\nann@example.com', { list_id: 'lst_1' });
    await mailkeel.imports.create(new Blob(['{"email":"ann@example.com"}']).stream(), { format: 'ndjson' });
    await mailkeel.suppressions.import([{ email: 'ann@example.com' }]);
    expect(asked.map(({ url, headers, body }) => [url, headers['content-type'], body])).toEqual([
      ['/v1/imports?list_id=lst_1', 'text/csv', 'email\nann@example.com'],
      ['/v1/imports', 'application/x-ndjson', '{"email":"ann@example.com"}'],
      ['/v1/suppressions/import', 'application/json', '[{"email":"ann@example.com"}]'],
    ]);
  });
});

describe('a list', () => {
  const page = (data: number[], next: string | null): Reply =>
    answering(200, { object: 'list', data, has_more: next !== null, next_cursor: next });

  it('returns every object of every page, including empty pages', async () => {
    const { asked, mailkeel } = await clientOf([page([1, 2], 'b'), page([], 'c'), page([3], null)]);
    const seen: unknown[] = [];
    for await (const one of mailkeel.contacts.list({ tag: 'vip' })) seen.push(one);
    expect(seen).toEqual([1, 2, 3]);
    expect(asked.map(({ url }) => url)).toEqual([
      '/v1/contacts?tag=vip',
      '/v1/contacts?tag=vip&cursor=b',
      '/v1/contacts?tag=vip&cursor=c',
    ]);
  });

  it('is fetched on use, one page at a time', async () => {
    const { asked, mailkeel } = await clientOf([page([1], 'b'), page([2], null)]);
    const list = mailkeel.contacts.list();
    expect(asked).toHaveLength(0);
    const first = await list;
    expect(first.data).toEqual([1]);
    expect(asked).toHaveLength(1);
    expect((await first.next())?.data).toEqual([2]);
    expect(await (await first.next())?.next()).toBeNull();
    expect(JSON.parse(JSON.stringify(first))).toEqual({
      object: 'list',
      data: [1],
      has_more: true,
      next_cursor: 'b',
    });
  });

  it('can be fetched again after a failure', async () => {
    const { mailkeel } = await clientOf([refusing(404, 'not_found'), page([1], null)]);
    const list = mailkeel.contacts.list();
    await expect(list.page()).rejects.toBeInstanceOf(NotFoundError);
    expect((await list).data).toEqual([1]);
  });

  it('ends if the server repeats a cursor', async () => {
    const { mailkeel } = await clientOf([page([1], 'b')]);
    const seen: unknown[] = [];
    for await (const one of mailkeel.contacts.list()) seen.push(one);
    expect(seen).toEqual([1, 1]);
  });
});
