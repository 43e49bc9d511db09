// Tests the description of the API.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_WEBHOOK_EVENTS } from '../../src/contract/names.js';
import { inlined } from '../support/api-operations.js';
import { startApi, type StartedApi } from '../support/start-api.js';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: unknown[];
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
  requestBody?: {
    content: Record<
      string,
      {
        schema: { type?: string; items?: { additionalProperties?: unknown }; additionalProperties?: unknown };
      }
    >;
  };
}

let api: StartedApi;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- an OpenAPI document, read at many depths
let document: any;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the same, without references
let whole: any;
beforeAll(async () => {
  api = await startApi();
  document = (await api.ask('GET', '/openapi.json', { key: '' })).json;
  whole = { ...document, paths: inlined(document.paths, document) };
});
afterAll(() => api.close());

const operations = (): [string, Operation][] =>
  Object.entries(whole.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );

describe('the OpenAPI document', () => {
  it('is version 3.1, and names its server and the bearer scheme', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: 'https://mail.example.test' }]);
    expect(document.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(document.components.securitySchemes.session).toMatchObject({
      in: 'cookie',
      name: 'mailkeel_session',
    });
    expect(document.security).toEqual([{ bearer: [] }, { session: [] }]);
  });

  it('describes every route once, with a unique operationId, a tag and a summary', () => {
    const ids = operations().map(([, operation]) => operation.operationId);
    expect(ids).toEqual(
      expect.arrayContaining(['contacts.list', 'apiKeys.create', 'suppressions.check', 'health.get']),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, operation] of operations()) {
      expect(operation.summary).toMatch(/\S/);
      expect(operation.tags).toHaveLength(1);
    }
  });

  it('declares the common error body for every operation, and closed bodies', () => {
    for (const [name, { responses, requestBody }] of operations()) {
      const error = responses['4XX']?.content?.['application/json']?.schema;
      expect(error, name).toEqual(inlined(document.components.schemas.Error, document));
      const body = requestBody?.content['application/json']?.schema;
      const closed = body?.type === 'array' ? body.items : body;
      if (closed) expect(closed.additionalProperties, name).toBe(false);
    }
    expect(document.components.schemas.ErrorDetails.required).toContain('request_id');
  });

  it('names the errors, headers and examples of an operation', () => {
    const { parameters, requestBody, responses } = whole.paths['/v1/contacts'].post;
    expect(Object.keys(responses as object)).toEqual(
      expect.arrayContaining(['200', '201', '409', '422', '4XX', '5XX']),
    );
    for (const { description } of Object.values(responses as Record<string, { description: string }>))
      expect(description).not.toMatch(/Default|^$/);
    const names = (parameters as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['X-Sub-Tenant-Id', 'Idempotency-Key']);
    expect(requestBody.content['application/json'].example).toMatchObject({ name: 'Ann Smith' });
    const probe = whole.paths['/healthz'].get;
    expect([probe.parameters, probe.responses['401']]).toEqual([undefined, undefined]);
  });

  it('marks operations without a key', () => {
    const open = operations().filter(([, operation]) => operation.security?.length === 0);
    expect(open.map(([name]) => name)).toEqual(expect.arrayContaining(['get /healthz', 'get /readyz']));
  });

  it('lists every webhook event', () => {
    const events = ALL_WEBHOOK_EVENTS;
    expect(Object.keys(document.webhooks as object).toSorted()).toEqual(events.toSorted());
  });

  it('has no undefined local references', () => {
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(500);
    const missing = references.filter((reference) => {
      const steps = reference.slice('"$ref":"#/'.length, -1).split('/');
      return steps.reduce((at, step) => at?.[step], document) === undefined;
    });
    expect(missing).toEqual([]);
  });
});

describe('the examples of the document', () => {
  it('are separate files', async () => {
    const { examples } = document.components as { examples: Record<string, { externalValue: string }> };
    expect(Object.keys(examples).length).toBeGreaterThan(0);
    for (const example of Object.values(examples)) {
      expect(Object.keys(example)).toEqual(['externalValue']);
      const answer = await api.ask('GET', example.externalValue, { key: '' });
      expect([answer.status, typeof answer.json]).toEqual([200, 'object']);
    }
    expect((await api.ask('GET', '/openapi/examples/constructor.json', { key: '' })).status).toBe(404);
  });
});

describe('its URL', () => {
  const ask = (headers: Record<string, string>) => api.app.inject({ url: '/openapi.json', headers });

  it('is compressed for clients that support it', async () => {
    const plain = await ask({});
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    const br = await ask({ 'accept-encoding': 'gzip, deflate, br' });
    expect([br.headers['content-encoding'], br.headers['content-type']]).toEqual([
      'br',
      'application/json; charset=utf-8',
    ]);
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
    const zipped = await ask({ 'accept-encoding': 'gzip;q=0.5, br;q=0' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(zipped.rawPayload.length * 6).toBeLessThan(plain.rawPayload.length);
    expect((await ask({ 'accept-encoding': 'identity' })).headers['content-encoding']).toBeUndefined();
  });

  it('returns 304 for a matching ETag', async () => {
    const { headers } = await ask({});
    const etag = String(headers.etag);
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await ask({ 'if-none-match': known, 'accept-encoding': 'br' });
      expect([again.statusCode, again.body, again.headers.etag], known).toEqual([304, '', etag]);
    }
    expect((await ask({ 'if-none-match': '"other"' })).statusCode).toBe(200);
  });
});

describe('the pages of /docs', () => {
  const page = (path: string) => api.ask('GET', path, { key: '' });

  it('allow no scripts but their own, and no external hosts', async () => {
    const { headers, text } = await page('/docs/api/contacts');
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    const loaded = [...text.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)];
    const from = loaded.map(([, path = '']) => path);
    expect(from).toEqual(['/favicon.svg', '/docs/site/docs.css', '/docs/site/docs.js']);
    for (const path of from) expect((await page(path)).status).toBe(200);
  });

  it('name the matching SDK release, at the address of this server', async () => {
    const { text } = await api.ask('GET', '/docs', { key: '' });
    expect(text).toContain('npm install https://mail.example.test/sdk.tgz');
  });

  it('are compressed and cached', async () => {
    const compressed = await api.ask('GET', '/docs', { key: '', headers: { 'accept-encoding': 'br' } });
    expect(compressed.headers['content-encoding']).toBe('br');
    const etag = String(compressed.headers['etag']);
    expect((await api.ask('GET', '/docs', { key: '', headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('show the search query as text', async () => {
    const { text } = await page(`/docs/search?q=${encodeURIComponent('<b>x</b>')}`);
    expect(text).toContain('<strong>&lt;b&gt;x&lt;/b&gt;</strong>');
    expect((await page('/docs/search')).status).toBe(200);
  });

  it('return 404 for missing pages', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/guides/adr',
      '/docs/guides/%2e%2e%2fconfig',
      '/docs/site/x.js',
    ]) {
      expect((await page(path)).status, path).toBe(404);
    }
  });
});
