import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { guardedLookup } from '../../../src/lib/http/address-guard.js';
import { createPoster, type Poster, type PosterOptions } from '../../../src/lib/http/https-poster.js';
import { startHttpReceiver, type HttpReceiver } from '../../support/http-receiver.js';
import { selfSignedCertificate } from '../../support/test-certificate.js';

const MESSAGE = {
  headers: { 'content-type': 'application/json', 'service-event': 'message.sent' },
  body: '{"a":1}',
};
let receiver: HttpReceiver;
const open = new Set<Poster>();

function poster(options: Partial<PosterOptions> = {}): Poster {
  const made = createPoster({ allowPrivate: true, timeoutMs: 2_000, ...options });
  open.add(made);
  return made;
}

beforeEach(async () => {
  receiver = await startHttpReceiver();
});

afterEach(async () => {
  await receiver.close();
  await Promise.all([...open].map((made) => made.close()));
  open.clear();
});

describe('the exchange', () => {
  test('the body arrives byte for byte with its headers, and the response is returned', async () => {
    receiver.script({ status: 202, body: 'thanks' });
    const body = Buffer.from('{"ü":"\\u0000"}');
    const outcome = await poster().post(`${receiver.url}/in?x=1`, { ...MESSAGE, body });
    expect(outcome).toEqual({
      kind: 'response',
      status: 202,
      body: 'thanks',
      headers: expect.objectContaining({ connection: 'keep-alive' }) as unknown,
      durationMs: expect.any(Number) as unknown,
    });
    const [request] = await receiver.waitFor(1);
    expect(request?.rawBody).toEqual(body);
    expect(request).toMatchObject({ method: 'POST', url: '/in?x=1', headers: MESSAGE.headers });
  });

  test.each([200, 204, 301, 307, 404, 500])(
    'a %i is a response, and redirects are not followed',
    async (status) => {
      receiver.script({ status, headers: { location: `${receiver.url}/elsewhere` } });
      expect(await poster().post(receiver.url, MESSAGE)).toMatchObject({ kind: 'response', status });
      expect(receiver.requests).toHaveLength(1);
    },
  );

  test('connections are reused, even after a body longer than the stored part', async () => {
    const made = poster({ connections: 1 });
    receiver.script({ body: 'x'.repeat(5_000) });
    for (let i = 0; i < 3; i++) await made.post(receiver.url, MESSAGE);
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
  });

  test('the first 1,024 bytes of the response are stored, without control characters', async () => {
    receiver.script({ body: `a\u0000\u001b[31mb\nc\t${'x'.repeat(3_000)}` });
    const outcome = await poster().post(receiver.url, MESSAGE);
    const body = outcome.kind === 'response' ? outcome.body : '';
    expect(body.startsWith('a[31mb\nc\txxx')).toBe(true);
    expect(body).toHaveLength(1_022);
  });

  test('the response headers are stored up to a number and length', async () => {
    const headers = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`x-${i}`, 'y'.repeat(60)]));
    receiver.script({ headers: { 'x-first': 'a\u00e4', ...headers } });
    const outcome = await poster().post(receiver.url, MESSAGE);
    const kept = outcome.kind === 'response' ? outcome.headers : {};
    expect(kept['x-first']).toBe('a\u00e4');
    expect(Object.keys(kept)).toHaveLength(50);
    expect(Object.entries(kept).flat().join('').length).toBeLessThanOrEqual(4_096);
  });

  test('an endless response is ended with its connection', async () => {
    receiver.script({ body: Buffer.alloc(20 * 1024 * 1024, 'x') });
    const made = poster();
    expect(await made.post(receiver.url, MESSAGE)).toMatchObject({ kind: 'response', status: 200 });
    await made.post(receiver.url, MESSAGE);
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });
});

describe('failures', () => {
  test('an unresponsive peer fails at the deadline', async () => {
    receiver.script({ fault: 'silence' });
    const outcome = await poster({ timeoutMs: 150 }).post(receiver.url, MESSAGE);
    expect(outcome).toMatchObject({ kind: 'error', error: 'timed out' });
    expect(outcome.durationMs).toBeLessThan(1_000);
  });

  test('a body that trickles does not extend the deadline', async () => {
    receiver.script({ fault: 'drip' });
    const outcome = await poster({ timeoutMs: 60_000 }).post(receiver.url, MESSAGE);
    expect(outcome).toMatchObject({ kind: 'response', status: 200 });
  });

  test('a response whose body never ends counts by its status at the deadline', async () => {
    receiver.script({ fault: 'drip' });
    const outcome = await poster({ timeoutMs: 200 }).post(receiver.url, MESSAGE);
    expect(outcome).toMatchObject({ kind: 'response', status: 200 });
    expect(outcome.durationMs).toBeLessThan(1_000);
  });

  test('a broken connection and a closed port are errors', async () => {
    receiver.script({ fault: 'reset' });
    expect(await poster().post(receiver.url, MESSAGE)).toMatchObject({
      kind: 'error',
      error: 'connection reset',
    });
    const gone = await startHttpReceiver();
    await gone.close();
    expect(await poster().post(gone.url, MESSAGE)).toMatchObject({
      kind: 'error',
      error: 'connection refused',
    });
  });

  test('a peer that does not speak HTTP is an error', async () => {
    const server: Server = createServer((socket) => {
      socket.resume().end('220 mail.example ESMTP\r\n');
      socket.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const bound = server.address();
    const port = typeof bound === 'object' && bound ? bound.port : 0;
    expect((await poster().post(`http://127.0.0.1:${port}/`, MESSAGE)).kind).toBe('error');
    await new Promise((resolve) => server.close(resolve));
  });

  test('a name that does not resolve is an error', async () => {
    const lookup = guardedLookup({ allowPrivate: true, resolve: () => Promise.resolve([]) });
    const outcome = await poster({ lookup }).post('http://hook.example/', MESSAGE);
    expect(outcome).toMatchObject({ kind: 'error', error: 'name not found' });
  });
});

describe('the guard', () => {
  test('refuses an IP literal before anything is sent', async () => {
    const outcome = await poster({ allowPrivate: false }).post(receiver.url, MESSAGE);
    expect(outcome).toMatchObject({ kind: 'error', error: expect.stringContaining('loopback') as unknown });
    expect(receiver.requests).toHaveLength(0);
  });

  test('refuses a name that resolves to loopback at the connection', async () => {
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const url = `http://hook.example:${receiver.port}/`;
    const closed = poster({ allowPrivate: false, lookup: guardedLookup({ allowPrivate: false, resolve }) });
    expect(await closed.post(url, MESSAGE)).toMatchObject({
      kind: 'error',
      error: 'refused: hook.example resolves to a loopback address',
    });
    expect(receiver.requests).toHaveLength(0);
    const opened = poster({ lookup: guardedLookup({ allowPrivate: true, resolve }) });
    expect(await opened.post(url, MESSAGE)).toMatchObject({ kind: 'response', status: 200 });
  });

  test('refuses credentials and other schemes', async () => {
    for (const url of ['http://u:p@127.0.0.1/', 'ftp://127.0.0.1/', 'nonsense']) {
      expect((await poster().post(url, MESSAGE)).kind).toBe('error');
    }
  });
});

test('a certificate must be trusted and match the name', async () => {
  const tls = selfSignedCertificate('hook.example');
  const secure = await startHttpReceiver({ tls });
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const lookup = guardedLookup({ allowPrivate: true, resolve });
  const url = (host: string): string => `https://${host}:${secure.port}/`;
  const outsider = await poster({ lookup }).post(url('hook.example'), MESSAGE);
  expect(outsider).toMatchObject({ kind: 'error', error: expect.stringContaining('self-signed') as unknown });
  const trusting = poster({ lookup, extraCa: [tls.cert] });
  expect(await trusting.post(url('hook.example'), MESSAGE)).toMatchObject({ kind: 'response', status: 200 });
  expect(await trusting.post(url('other.example'), MESSAGE)).toMatchObject({
    kind: 'error',
    error: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID') as unknown,
  });
  await secure.close();
});
