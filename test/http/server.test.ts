// Tests what all requests share: IDs, shapes of errors, bodies, validation.
import { once } from 'node:events';
import { connect } from 'node:net';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closed, metadata, nullable, oneOf } from '../../src/contract/schema.js';
import { Refusal } from '../../src/contract/refusal.js';
import type { Api } from '../../src/http/api.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const address = closed({ email: Type.String(), name: Type.Optional(nullable(Type.String())) });
const body = closed({
  to: Type.Union([Type.String(), address]),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  kind: Type.Optional(oneOf(['a', 'b'])),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 2 })),
  metadata: Type.Optional(metadata),
});

function probeRoutes(app: Api): void {
  app.post('/v1/probe', { schema: { body } }, (request) => ({
    body: request.body,
    ownKeys: Object.keys(request.body.metadata ?? {}),
    polluted: ({} as Record<string, unknown>)['polluted'] ?? null,
  }));
  app.get(
    '/v1/probe',
    {
      schema: {
        querystring: closed({ limit: Type.Optional(Type.Integer()), on: Type.Optional(Type.Boolean()) }),
      },
    },
    (request) => request.query,
  );
  const config = { public: true, uniqueKeys: true };
  app.post('/v1/strict', { config, schema: { body: Type.Unknown() } }, (request) => request.body);
  app.post('/v1/open', { schema: { body: Type.Record(Type.String(), Type.String()) } }, () => ({}));
  app.get('/v1/fault', () => {
    throw new Error('secret internals');
  });
  app.get('/v1/down', () => {
    throw new Refusal('unavailable', undefined, { details: { reason: 'SQLITE_FULL' } });
  });
}

const logged: string[] = [];
let api: StartedApi;
beforeAll(async () => {
  const logTo = { write: (line: string) => void logged.push(line) };
  api = await startApi({ routes: () => [probeRoutes], logLevel: 'info', logTo });
});
afterAll(() => api.close());

async function listening(): Promise<{ port: number }> {
  if (!api.app.server.listening) await api.app.listen({ host: '127.0.0.1', port: 0 });
  return api.app.server.address() as { port: number };
}

describe('errors', () => {
  const shape = (code: string, type = code) => ({
    error: { type, code, message: expect.any(String) as string, request_id: expect.any(String) as string },
  });

  it.each([
    ['an unknown route', () => api.ask('GET', '/v1/nowhere'), 404, 'not_found'],
    ['an unknown route without a key', () => api.ask('GET', '/nowhere', { key: '' }), 404, 'not_found'],
    ['a method that the path does not have', () => api.ask('PUT', '/v1/contacts'), 405, 'method_not_allowed'],
    ['a broken percent sign', () => api.ask('GET', '/v1/contacts/%zz'), 400, 'bad_request'],
    [
      'a body that is too large',
      () => api.ask('POST', '/v1/probe', { body: { to: 'x'.repeat(1024 * 1024) } }),
      413,
      'payload_too_large',
    ],
    [
      'another media type',
      () => api.ask('POST', '/v1/probe', { body: 'to=x', headers: { 'content-type': 'text/plain' } }),
      415,
      'unsupported_media_type',
    ],
    [
      'broken JSON',
      () => api.ask('POST', '/v1/probe', { body: '{"to":', headers: { 'content-type': 'application/json' } }),
      400,
      'bad_request',
    ],
    [
      'bytes that are not UTF-8',
      () =>
        api.ask('POST', '/v1/probe', {
          body: Buffer.from('{"to":"\xff"}', 'latin1'),
          headers: { 'content-type': 'application/json' },
        }),
      400,
      'bad_request',
    ],
    [
      'a body nested without end',
      () =>
        api.ask('POST', '/v1/probe', {
          body: `{"to":"x","metadata":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
          headers: { 'content-type': 'application/json' },
        }),
      400,
      'bad_request',
    ],
    ['a fault', () => api.ask('GET', '/v1/fault'), 500, 'internal_error'],
    ['a store that cannot write', () => api.ask('GET', '/v1/down'), 503, 'unavailable'],
  ])('%s has the common shape', async (_name, ask, status, code) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual(shape(code));
    expect(answer.headers['x-request-id']).toBe(answer.json.error.request_id);
  });

  it('show the size limit of a body', async () => {
    const answer = await api.ask('POST', '/v1/probe', { body: { to: 'x'.repeat(1024 * 1024) } });
    expect(answer.json.error.message).toContain('1048576 bytes');
  });

  it('reveal nothing about an internal error, which is logged with the request id', async () => {
    const answer = await api.ask('GET', '/v1/fault', { headers: { 'x-request-id': 'fault-1' } });
    expect(answer.text).not.toContain('secret internals');
    const line = logged.find((one) => one.includes('"request_id":"fault-1"'));
    expect(line).toContain('secret internals');
  });

  it('say when to retry while the store is unavailable, without the reason', async () => {
    const answer = await api.ask('GET', '/v1/down');
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.text).not.toContain('SQLITE');
  });

  it.each(['Content-Length: 25165824', 'Transfer-Encoding: chunked'])(
    'reach a client that is still sending a body that is too large (%s)',
    async (length) => {
      const { port } = await listening();
      const head = `POST /v1/probe HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.liveKey}\r\n`;
      const socket = connect(port, '127.0.0.1');
      socket.setEncoding('utf8');
      socket.write(`${head}Content-Type: application/json\r\n${length}\r\n\r\n`);
      const chunk = Buffer.alloc(1024 * 1024, 'x');
      for (let i = 0; i < 24; i++) {
        if (length.startsWith('Transfer')) socket.write('100000\r\n');
        const isBuffered = !socket.write(chunk);
        if (length.startsWith('Transfer')) socket.write('\r\n');
        if (isBuffered) await once(socket, 'drain');
      }
      if (length.startsWith('Transfer')) socket.write('0\r\n\r\n');
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      let received = '';
      for await (const piece of socket as AsyncIterable<string>) received += piece;
      expect(received).toMatch(/^HTTP\/1\.1 413 .*"code":"payload_too_large".*HTTP\/1\.1 200 /s);
    },
  );

  it.each([
    ['NOT HTTP AT ALL\r\n\r\n', 400, 'bad_request'],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('have the same shape for malformed requests: %.16s', async (bytes, status, code) => {
    const { port } = await listening();
    const received = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('end', () => resolve(answer));
      socket.on('error', reject);
    });
    expect(received.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(JSON.parse(received.split('\r\n\r\n')[1] ?? '')).toEqual(shape(code));
  });
});

describe('an unsupported method', () => {
  it.each([
    ['PUT', '/v1/contacts', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/v1/contacts/cnt_x', 'DELETE, GET, HEAD, PATCH, OPTIONS'],
    ['GET', '/v1/strict', 'POST, OPTIONS'],
    ['HEAD', '/v1/strict', 'POST, OPTIONS'],
    ['DELETE', '/healthz', 'GET, HEAD, OPTIONS'],
  ] as const)('is refused with the supported ones: %s %s', async (method, path, allowed) => {
    const answer = await api.ask(method, `${path}?a=1`, { key: '' });
    expect([answer.status, answer.headers['allow']]).toEqual([405, allowed]);
  });

  it('OPTIONS returns the supported methods', async () => {
    const answer = await api.ask('OPTIONS', '/v1/contacts/cnt_x', { key: '' });
    expect([answer.status, answer.text, answer.headers['allow']]).toEqual([
      204,
      '',
      'DELETE, GET, HEAD, PATCH, OPTIONS',
    ]);
    expect((await api.ask('OPTIONS', '/v1/nowhere')).status).toBe(404);
  });
});

describe('request ids', () => {
  it('are taken from the caller if safe', async () => {
    const answer = await api.ask('GET', '/healthz', { headers: { 'x-request-id': 'abc-123' } });
    expect(answer.headers['x-request-id']).toBe('abc-123');
  });

  it.each(['x'.repeat(129), 'a b', 'a"b', '<script>'])('are generated instead of %s', async (given) => {
    const answer = await api.ask('GET', '/healthz', { headers: { 'x-request-id': given } });
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
  });
});

describe('request bodies', () => {
  it('keeps a metadata key named __proto__ as plain data', async () => {
    const answer = await api.ask('POST', '/v1/probe', {
      body: '{"to":"x","metadata":{"__proto__":{"polluted":"yes"},"constructor":{"prototype":1}}}',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(200);
    expect(answer.json.ownKeys).toEqual(['__proto__', 'constructor']);
    expect(answer.json.polluted).toBeNull();
    expect(answer.text).toContain('"__proto__":{"polluted":"yes"}');
  });

  it.each([
    ['members', `{${'"a":1,'.repeat(20_000)}"a":1}`],
    ['items', `{"to":[${'{},'.repeat(20_000)}0]}`],
    ['levels', '['.repeat(500_000)],
    ['digits', `{"count":${'9'.repeat(2_000)}}`],
  ])('are measured before parsing: %s', async (_name, body) => {
    const answer = await api.ask('POST', '/v1/probe', {
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, answer.json.error.code]).toEqual([400, 'bad_request']);
    expect(answer.json.error.message).toMatch(/more than/);
  });

  it('with a very long field name are refused with a shortened name', async () => {
    const answer = await api.ask('POST', '/v1/probe', { body: { to: 'x', ['n'.repeat(900_000)]: 1 } });
    expect(answer.json.error.param).toBe(`${'n'.repeat(200)}…`);
    const none = await api.ask('DELETE', '/v1/contacts/cnt_x', { body: { ['n'.repeat(900_000)]: 1 } });
    expect(none.text.length).toBeLessThan(2_000);
  });

  it('with many fields are refused for a problem after them', async () => {
    const bodyOf = (wrong: unknown) => ({
      ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, 'x'])),
      last: wrong,
    });
    const answer = await api.ask('POST', '/v1/open', { body: bodyOf(5) });
    expect([answer.status, answer.json.error.message]).toEqual([
      422,
      'one of its many fields is unknown or has the wrong type',
    ]);
    expect((await api.ask('POST', '/v1/open', { body: bodyOf('x') })).status).toBe(200);
  });

  it('refuses a field named __proto__ like any other unknown field', async () => {
    const answer = await api.ask('POST', '/v1/probe', {
      body: '{"to":"x","__proto__":{"a":1}}',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.json.error.details.fields).toEqual([
      { path: '__proto__', message: 'is not a known field' },
    ]);
  });

  it.each([
    ['{"a":1,"a":1}', 400],
    ['{"b":[{"a" :"}","c":{"a":2,"a":3}}]}', 400],
    ['{"a":"\\"a\\":1","b":{"a":["a",":"]}}', 200],
  ])('with a duplicate key are refused if it matters: %s', async (given, status) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await api.ask('POST', '/v1/strict', { key: '', headers, body: given });
    expect(answer.status).toBe(status);
  });

  it('may be empty with a JSON content type', async () => {
    const answer = await api.ask('DELETE', '/v1/contacts/cnt_x', {
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(404);
  });
});

describe('validation', () => {
  it.each([
    [{}, [['to', 'is required']]],
    [{ to: 'x', sned_at: 1 }, [['sned_at', 'is not a known field']]],
    [{ to: 5 }, [['to', 'must be a string or an object']]],
    [
      { to: { mail: 'x' } },
      [
        ['to.email', 'is required'],
        ['to.mail', 'is not a known field. Did you mean email?'],
      ],
    ],
    [{ to: { email: 'x', name: 5 } }, [['to.name', 'must be a string or null']]],
    [{ to: 'x', count: '3' }, [['count', 'must be an integer']]],
    [{ to: 'x', kind: 'c' }, [['kind', 'must be one of a, b']]],
    [{ to: 'x', tags: ['a', 5] }, [['tags.1', 'must be a string']]],
  ])('reports the problem of %j', async (input, expected) => {
    const answer = await api.ask('POST', '/v1/probe', { body: input });
    expect(answer.status).toBe(422);
    const fields = answer.json.error.details.fields as { path: string; message: string }[];
    expect(fields.map(({ path, message }) => [path, message]).sort()).toEqual(expected.sort());
    expect(answer.json.error.param).toBe(fields[0]?.path);
  });

  it('requires a missing body', async () => {
    const answer = await api.ask('POST', '/v1/probe');
    expect([answer.status, answer.json.error.message]).toEqual([422, 'a JSON body is required']);
  });

  it('reports at most 20 problems', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`field${i}`, i]));
    const answer = await api.ask('POST', '/v1/probe', { body: { to: 'x', ...unknown } });
    expect(answer.json.error.details.fields).toHaveLength(20);
  });

  it('parses numbers and booleans in the query, and refuses unknown names', async () => {
    expect((await api.ask('GET', '/v1/probe?limit=5&on=true')).json).toEqual({ limit: 5, on: true });
    const answer = await api.ask('GET', '/v1/probe?limit=five&sort=asc');
    expect(answer.json.error.details.fields).toEqual(
      expect.arrayContaining([
        { path: 'limit', message: 'must be an integer' },
        { path: 'sort', message: 'is not a known field' },
      ]),
    );
  });
});

describe('input that a route does not declare', () => {
  it.each([
    ['a query where there is none', 'POST', '/v1/probe?dry_run=1', { to: 'x' }, 'dry_run'],
    ['a body where there is none', 'DELETE', '/v1/contacts/cnt_x', { force: true }, 'force'],
    ['a list for a body', 'DELETE', '/v1/contacts/cnt_x', [1], undefined],
  ])('is refused: %s', async (_name, method, url, given, param) => {
    const answer = await api.ask(method, url, { body: given });
    expect([answer.status, answer.json.error.param]).toEqual([422, param]);
  });

  it('may be an empty object, and anything outside /v1', async () => {
    expect((await api.ask('DELETE', '/v1/contacts/cnt_x', { body: {} })).status).toBe(404);
    expect((await api.ask('GET', '/healthz?probe=1')).status).toBe(200);
  });
});

it('sends security headers with responses', async () => {
  const { headers } = await api.ask('GET', '/healthz');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['strict-transport-security']).toMatch(/^max-age=/);
  expect(headers['cache-control']).toBe('no-store');
});
