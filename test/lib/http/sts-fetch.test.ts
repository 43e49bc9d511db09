// Tests the policy fetch against an HTTPS server on loopback, with certificates and responses that occur.
import { createServer as createTcpServer, type Server } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signerWith } from '../../../src/lib/tls/index.js';
import { createPolicyFetch, type PolicyFetchOptions } from '../../../src/lib/http/sts-fetch.js';
import { startHttpReceiver, type HttpReceiver, type ScriptedReply } from '../../support/http-receiver.js';

const DOMAIN = 'shop.example';
const HOST = `mta-sts.${DOMAIN}`;
const FILE = 'version: STSv1\r\nmode: enforce\r\nmx: mail.shop.example\r\nmax_age: 86400\r\n';
const PLAIN = { 'content-type': 'text/plain' };
const DAY = 86_400_000;

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** An authority for the tests, so that only names and dates decide about its certificates. */
const authority = issue({ commonName: 'Test Authority', isAuthority: true });

interface Wanted {
  commonName: string;
  names?: string[];
  notAfter?: Date;
  isAuthority?: boolean;
}

function issue({ commonName, names = [], notAfter, isAuthority = false }: Wanted): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = isAuthority ? '01' : '02';
  certificate.validity.notBefore = new Date(Date.now() - 10 * DAY);
  certificate.validity.notAfter = notAfter ?? new Date(Date.now() + DAY);
  certificate.setSubject([{ name: 'commonName', value: commonName }]);
  certificate.setIssuer([{ name: 'commonName', value: 'Test Authority' }]);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: isAuthority },
    ...(names.length > 0
      ? [{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) }]
      : []),
  ]);
  certificate.sign(signerWith(privateKey), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}

const servers = new Set<HttpReceiver>();
let goodCertificate: string;

beforeAll(() => {
  goodCertificate = issue({ commonName: HOST, names: [HOST] });
});

afterEach(async () => {
  await Promise.all([...servers].map((server) => server.close()));
  servers.clear();
});

const onLoopback = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

/** Fetches once from a server that has the certificate and responds with `reply`. */
async function fetched(
  reply: ScriptedReply,
  options: Partial<PolicyFetchOptions> & { certificate?: string; signal?: AbortSignal } = {},
) {
  const { certificate = goodCertificate, signal, ...rest } = options;
  const server = await startHttpReceiver({ tls: { key: privateKey, cert: certificate } });
  servers.add(server);
  server.setDefault(reply);
  const fetchPolicy = createPolicyFetch({
    allowPrivate: true,
    port: server.port,
    timeoutMs: 5_000,
    resolve: onLoopback,
    extraCa: [authority],
    ...rest,
  });
  return { result: await fetchPolicy(DOMAIN, signal), server };
}

const failure = (resultType: string, detail: string) => ({
  kind: 'failed',
  resultType,
  detail: expect.stringContaining(detail) as unknown,
});
const FETCH_ERROR = 'sts-policy-fetch-error';
const UNTRUSTED = 'sts-webpki-invalid';

describe('a policy file', () => {
  test('is requested at the well-known URL of the policy host', async () => {
    const { result, server } = await fetched({ headers: PLAIN, body: FILE });
    expect(result).toEqual({ kind: 'fetched', text: FILE });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'GET', url: '/.well-known/mta-sts.txt' });
    expect(request?.headers.host).toBe(`${HOST}:${server.port}`);
  });

  test.each(['text/plain; charset=utf-8', 'Text/Plain', 'text/plain;x=y'])('may be %s', async (type) => {
    const { result } = await fetched({ headers: { 'content-type': type }, body: FILE });
    expect(result.kind).toBe('fetched');
  });

  test('of exactly 64 KiB is accepted, and one byte more is not', async () => {
    const body = FILE.padEnd(65_536, 'x');
    expect((await fetched({ headers: PLAIN, body })).result).toEqual({ kind: 'fetched', text: body });
    const more = await fetched({ headers: PLAIN, body: `${body}x` });
    expect(more.result).toEqual(failure(FETCH_ERROR, 'larger than 64 KiB'));
  });

  test('without end is aborted', async () => {
    const { result } = await fetched({ headers: PLAIN, body: Buffer.alloc(20 * 1024 * 1024, 'x') });
    expect(result).toEqual(failure(FETCH_ERROR, 'larger than 64 KiB'));
  });
});

describe('a response that is not a policy file', () => {
  test.each<[string, ScriptedReply, string]>([
    ['not found', { status: 404, headers: PLAIN, body: FILE }, 'HTTP status 404'],
    ['no content', { status: 204 }, 'HTTP status 204'],
    ['not modified', { status: 304, headers: PLAIN }, 'HTTP status 304'],
    ['part of it', { status: 206, headers: PLAIN, body: FILE }, 'HTTP status 206'],
    ['server error', { status: 500, headers: PLAIN, body: FILE }, 'HTTP status 500'],
    ['HTML', { headers: { 'content-type': 'text/html' }, body: FILE }, 'not text/plain'],
    ['no content type', { body: FILE }, 'not text/plain'],
    [
      'a type that begins alike',
      { headers: { 'content-type': 'text/plainer' }, body: FILE },
      'not text/plain',
    ],
    ['compressed', { headers: { ...PLAIN, 'content-encoding': 'gzip' }, body: FILE }, 'compressed'],
    ['longer than it is', { headers: { ...PLAIN, 'content-length': '9999' }, fault: 'reset' }, 'ECONNRESET'],
    ['huge headers', { headers: { ...PLAIN, x: 'y'.repeat(20_000) }, body: FILE }, 'HPE_HEADER_OVERFLOW'],
  ])('%s', async (_name, reply, detail) => {
    expect((await fetched(reply)).result).toEqual(failure(FETCH_ERROR, detail));
  });

  test.each([301, 302, 307, 308])('a redirect (%i) is not followed', async (status) => {
    const elsewhere = await startHttpReceiver();
    servers.add(elsewhere);
    const { result, server } = await fetched({ status, redirectTo: `${elsewhere.url}/policy` });
    expect(result).toEqual(failure(FETCH_ERROR, `HTTP status ${status}, and redirects are not followed`));
    expect(server.requests).toHaveLength(1);
    expect(elsewhere.requests).toHaveLength(0);
  });
});

describe('the certificate of the policy host', () => {
  const answer = { headers: PLAIN, body: FILE };

  test('may be a wildcard for the label of the policy host', async () => {
    const certificate = issue({ commonName: 'x', names: [`*.${DOMAIN}`] });
    expect((await fetched(answer, { certificate })).result.kind).toBe('fetched');
  });

  test.each<[string, () => string, string]>([
    [
      'for the domain, not the policy host',
      () => issue({ commonName: DOMAIN, names: [DOMAIN] }),
      'is not for',
    ],
    ['for another host', () => issue({ commonName: HOST, names: ['other.example'] }), 'is not for'],
    ['with the name as common name only', () => issue({ commonName: HOST }), 'is not for'],
    [
      'with an asterisk in part of a label',
      () => issue({ commonName: 'x', names: [`mta*.${DOMAIN}`] }),
      'is not for',
    ],
    [
      'that has expired',
      () => issue({ commonName: HOST, names: [HOST], notAfter: new Date(Date.now() - DAY) }),
      'CERT_HAS_EXPIRED',
    ],
  ])('%s is refused, and nothing is requested', async (_name, certificate, detail) => {
    const { result, server } = await fetched(answer, { certificate: certificate() });
    expect(result).toEqual(failure(UNTRUSTED, detail));
    expect(server.requests).toHaveLength(0);
  });

  test('of an unknown authority is refused', async () => {
    const server = await startHttpReceiver({ tls: { key: privateKey, cert: goodCertificate } });
    servers.add(server);
    const fetchPolicy = createPolicyFetch({
      allowPrivate: true,
      port: server.port,
      resolve: onLoopback,
    });
    expect(await fetchPolicy(DOMAIN)).toEqual(failure(UNTRUSTED, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'));
    expect(server.requests).toHaveLength(0);
  });
});

describe('the connection', () => {
  test('is not made to a private address', async () => {
    const { result, server } = await fetched({ headers: PLAIN, body: FILE }, { allowPrivate: false });
    expect(result).toEqual(failure(FETCH_ERROR, `${HOST} resolves to a loopback address`));
    expect(server.requests).toHaveLength(0);
  });

  test('is not made if no address is public', async () => {
    const asked: string[] = [];
    const resolve = (name: string) => {
      asked.push(name);
      return Promise.resolve([
        { address: '10.0.0.1', family: 4 },
        { address: '169.254.169.254', family: 4 },
      ]);
    };
    const { result } = await fetched({}, { allowPrivate: false, resolve });
    expect(result).toEqual(failure(FETCH_ERROR, 'a private address'));
    expect(asked).toEqual([HOST]);
  });

  test('returns an error if no server listens or the name is unknown', async () => {
    const gone = await startHttpReceiver();
    await gone.close();
    const refused = await fetched({}, { port: gone.port });
    expect(refused.result).toEqual(failure(FETCH_ERROR, 'ECONNREFUSED'));
    const unknown = await fetched({}, { resolve: () => Promise.resolve([]) });
    expect(unknown.result).toEqual(failure(FETCH_ERROR, 'could not be resolved'));
  });

  test('to a peer that does not speak TLS returns an error', async () => {
    const server: Server = createTcpServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.resume().end('220 mail.example ESMTP\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const bound = server.address();
    const port = typeof bound === 'object' && bound ? bound.port : 0;
    const { result } = await fetched({}, { port });
    expect(result).toMatchObject({ kind: 'failed', resultType: FETCH_ERROR });
    await new Promise((resolve) => server.close(resolve));
  });

  test.each<[string, ScriptedReply, Partial<PolicyFetchOptions>]>([
    ['silence', { fault: 'silence' }, {}],
    ['a body that drips', { fault: 'drip', headers: PLAIN }, {}],
    ['a look-up without an answer', {}, { resolve: () => new Promise(() => undefined) }],
  ])('%s ends at the overall deadline', async (_name, reply, options) => {
    const { result } = await fetched(reply, { ...options, timeoutMs: 300 });
    expect(result).toEqual(failure(FETCH_ERROR, 'timed out'));
  });

  test('a stalled handshake ends at the deadline', async () => {
    const server: Server = createTcpServer((socket) => {
      socket.on('error', () => socket.destroy()).resume();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const bound = server.address();
    const port = typeof bound === 'object' && bound ? bound.port : 0;
    const { result } = await fetched({}, { port, timeoutMs: 300 });
    expect(result).toEqual(failure(FETCH_ERROR, 'timed out'));
    await new Promise((resolve) => server.close(resolve));
  });

  test('a signal aborts the fetch', async () => {
    const stop = new AbortController();
    const pending = fetched({ fault: 'silence' }, { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    expect((await pending).result).toMatchObject({ kind: 'failed', resultType: FETCH_ERROR });
  });
});

test('a domain that is not a host name is not requested', async () => {
  const fetchPolicy = createPolicyFetch({
    allowPrivate: true,
    resolve: () => Promise.reject(new Error('asked')),
  });
  for (const domain of ['[127.0.0.1]', 'a/b.example', 'user@shop.example', 'shop.example:25', '']) {
    expect(await fetchPolicy(domain)).toEqual(failure(FETCH_ERROR, 'not a host name'));
  }
});
