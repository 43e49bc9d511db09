// Tests how the dashboard is served: one page for all its addresses, files that are cached for a year, and a page with
// instructions if it was not built.
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboardRoutes } from '../../src/http/dashboard/dashboard.js';
import { newId } from '../../src/lib/runtime/index.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const PAGE =
  '<!doctype html><title>Mailkeel</title><script type="module" src="/assets/index-1a2b3c.js"></script>';
const SCRIPT = `console.log(${'"x", '.repeat(200)}"y");`;
const PUBLIC_URL = 'https://mail.example.test';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const workspace = newId('ws', 1_700_000_000_000);
const place = `/${workspace}/test`;

let folder: string;
let api: StartedApi;
let isSetupNeeded = false;

const start = (at: string): Promise<StartedApi> =>
  startApi({
    routes: () => [
      (app) =>
        dashboardRoutes(app, {
          isSetupNeeded: () => Promise.resolve(isSetupNeeded),
          publicUrl: PUBLIC_URL,
          folder: pathToFileURL(`${at}/`),
        }),
    ],
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'assets/index-1a2b3c.js'), SCRIPT);
  await writeFile(join(folder, 'assets/sans-1a2b3c.woff2'), Buffer.from([0, 1, 2, 255]));
  await writeFile(join(folder, 'assets/index-1a2b3c.js.map'), '{}');
  await writeFile(join(folder, 'secret.js'), 'nobody');
  api = await start(folder);
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const ask = (url: string, headers: Record<string, string> = BROWSER) => api.app.inject({ url, headers });

describe('the dashboard page', () => {
  it('is served at every address of the dashboard', async () => {
    const addresses = ['/', '/sign-in', '/sign-in?next=%2F', place, `/${workspace}/live`];
    for (const path of [...addresses, `${place}/messages/msg_1?status=bounced`, `${place}/a/b/c/d.e`]) {
      const { statusCode, body, headers } = await ask(path);
      expect([path, statusCode, body]).toEqual([path, 200, PAGE]);
      expect(headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-type': 'text/html; charset=utf-8',
      });
    }
    expect((await api.ask('HEAD', place, { key: '' })).status).toBe(200);
  });

  it('is revalidated each time, and sent when it has changed', async () => {
    const { headers } = await ask(place);
    const again = await ask(place, { ...BROWSER, 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('is replaced after a build while the server runs, with its files', async () => {
    const again = await mkdtemp(join(tmpdir(), 'dashboard-'));
    await mkdir(join(again, 'assets'));
    await writeFile(join(again, 'index.html'), PAGE);
    const server = await start(again);
    try {
      const read = (url: string) => server.app.inject({ url, headers: BROWSER });
      expect((await read('/sign-in')).body).toBe(PAGE);
      expect((await read('/assets/new-4d5e6f.js')).statusCode).toBe(404);
      await writeFile(join(again, 'assets/new-4d5e6f.js'), SCRIPT);
      await writeFile(join(again, 'index.html'), `${PAGE}<p>New</p>`);
      await utimes(join(again, 'index.html'), 2_000_000_000, 2_000_000_000);
      expect((await read('/sign-in')).body).toBe(`${PAGE}<p>New</p>`);
      expect((await read('/assets/new-4d5e6f.js')).body).toBe(SCRIPT);
    } finally {
      await server.close();
      await rm(again, { recursive: true });
    }
  });

  it('may only run scripts of its host, and cannot be framed', async () => {
    for (const path of ['/', '/sign-in', place]) {
      const { headers } = await ask(path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';");
      expect(policy).toContain("connect-src 'self'; frame-src 'self' blob:;");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe-eval');
    }
  });

  it('does not affect other addresses', async () => {
    const other = ['/nothing', '/a/live', `/${workspace}`, `/${workspace}/other`, `/ws_1/test`, `${place}x`];
    for (const path of [...other, '/assets', '/v1/nothing']) {
      const { status } = await api.ask('GET', path, { key: '', headers: BROWSER });
      expect([path, status]).toEqual([path, 404]);
    }
    expect((await api.ask('POST', place, { key: '' })).status).toBe(405);
    expect((await api.ask('POST', '/a/live', { key: '' })).status).toBe(404);
  });
});

it('GET / returns links to programs, and redirects browsers to set-up until there is an owner', async () => {
  const program = await api.ask('GET', '/', { key: '' });
  expect(program.json).toMatchObject({ object: 'links', documentation: `${PUBLIC_URL}/docs` });
  expect(program.headers['vary']).toBe('Accept');
  expect((await ask('/')).headers.vary).toBe('Accept, Accept-Encoding');
  isSetupNeeded = true;
  const browser = await ask('/');
  expect([browser.statusCode, browser.headers.location]).toEqual([303, '/setup']);
  isSetupNeeded = false;
});

describe('the dashboard files', () => {
  it('are cached for a year, and compressed if that helps', async () => {
    const plain = await ask('/assets/index-1a2b3c.js', {});
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    expect(plain.body).toBe(SCRIPT);
    const br = await ask('/assets/index-1a2b3c.js', { 'accept-encoding': 'gzip, br' });
    expect(br.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(SCRIPT);
    const zipped = await ask('/assets/index-1a2b3c.js', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(SCRIPT);
    const font = await ask('/assets/sans-1a2b3c.woff2', { 'accept-encoding': 'gzip, br' });
    expect([font.headers['content-type'], font.headers['content-encoding']]).toEqual([
      'font/woff2',
      undefined,
    ]);
    expect([...font.rawPayload]).toEqual([0, 1, 2, 255]);
  });

  it('come from their folder and have types that a page loads', async () => {
    for (const name of [
      'none.js',
      '..%2fsecret.js',
      '%2e%2e/secret.js',
      'index-1a2b3c.js.map',
      '',
      'a/b.js',
    ]) {
      expect([name, (await ask(`/assets/${name}`)).statusCode]).toEqual([name, 404]);
    }
  });
});

it('the logo is the icon of all pages', async () => {
  const { headers, body } = await ask('/favicon.svg', {});
  expect(headers['content-type']).toBe('image/svg+xml');
  expect(headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
  expect(body).toMatch(/^<svg [^>]+><style>.+<\/style>\s*<path /);
  expect((await ask('/docs')).body).toContain('<link rel="icon" href="/favicon.svg"');
});

it('without a build, a page explains what to do until one exists', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'dashboard-'));
  const bare = await start(empty);
  const missing = await bare.ask('GET', place, { key: '' });
  expect([missing.status, missing.headers['cache-control']]).toEqual([503, 'no-store']);
  expect(missing.text).toContain('<code>npm run build</code>');
  expect((await bare.ask('GET', '/assets/index.js', { key: '' })).status).toBe(404);
  await mkdir(join(empty, 'assets'));
  await writeFile(join(empty, 'index.html'), PAGE);
  await writeFile(join(empty, 'assets/index.js'), SCRIPT);
  expect((await bare.ask('GET', place, { key: '' })).text).toBe(PAGE);
  expect((await bare.ask('GET', '/assets/index.js', { key: '' })).status).toBe(200);
  await bare.close();
  await rm(empty, { recursive: true });
});
