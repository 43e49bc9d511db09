// Tests packages that the built program loads on first use. In a bundle such a package has only its default export, regardless of
// its named exports in the source, so each is loaded from dist/ and used as the program uses it.
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type * as spfCheck from '../../src/lib/authentication/spf-check.js';
import type * as linkCheck from '../../src/lib/http/link-check.js';
import type * as resolvers from '../../src/lib/dns/resolver.js';
import type * as acmeOrder from '../../src/lib/acme/acme-order.js';
import type * as selfSigned from '../../src/lib/tls/self-signed.js';
import type * as postgresPool from '../../src/database/engine/postgres-pool.js';
import { startDnsServer } from '../support/dns-server.js';

const built = async <Module>(path: string): Promise<Module> =>
  (await import(new URL(`../../dist/${path}`, import.meta.url).href)) as Module;

/** A port on which nothing listens. */
let deadPort = 0;
let server: Server;

beforeAll(async () => {
  server = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  deadPort = (closed.address() as AddressInfo).port;
  await new Promise((resolve) => closed.close(resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

it('loads exactly the packages below, each by its default export', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const loads = sources.flatMap((name) => [
    ...readFileSync(`src/${name}`, 'utf8').matchAll(/(.*)await import\('([^.'][^']*)'\)/g),
  ]);
  expect([...new Set(loads.map(([, , name]) => name))].sort()).toEqual([
    'acme-client',
    'mailauth/lib/spf/index.js',
    'node-forge',
    'pg',
  ]);
  for (const [text, before] of loads) expect(before, text).toMatch(/const \{ default: \w+ \} = $/);
});

it('evaluates an SPF record with mailauth', async () => {
  const { lookUpSpf } = await built<typeof spfCheck>('lib/authentication/spf-check.js');
  const { createResolver } = await built<typeof resolvers>('lib/dns/resolver.js');
  const dns = await startDnsServer({ zones: { 'sender.test': { TXT: ['v=spf1 ip4:192.0.2.10 -all'] } } });
  const resolver = createResolver({ servers: [dns.address], clock: () => 0 });
  expect((await lookUpSpf(resolver, 'sender.test', '192.0.2.10')).result).toBe('pass');
  expect((await lookUpSpf(resolver, 'sender.test', '192.0.2.11')).result).toBe('fail');
  resolver.close();
  await dns.close();
});

it('creates a certificate with node-forge', async () => {
  const { makeSelfSigned } = await built<typeof selfSigned>('lib/tls/self-signed.js');
  const { cert } = await makeSelfSigned(['mail.example.com'], Date.now());
  expect(new X509Certificate(cert).checkHost('mail.example.com')).toBe('mail.example.com');
});

it('calls an ACME server with acme-client', async () => {
  const { newAccountKey, orderCertificate } = await built<typeof acmeOrder>('lib/acme/acme-order.js');
  const outcome = await orderCertificate({
    directoryUrl: `https://127.0.0.1:${deadPort}/directory`,
    accountKey: await newAccountKey(),
    email: 'ops@example.com',
    names: ['mail.example.com'],
    challenges: { open: () => Promise.resolve(), close: () => Promise.resolve() } as never,
    extraCaFile: null,
    now: Date.now(),
    signal: AbortSignal.timeout(10_000),
  });
  expect(outcome).toMatchObject({
    kind: 'failed',
    failure: { detail: expect.stringContaining('ECONNREFUSED') },
  });
});

it('connects to PostgreSQL with pg', async () => {
  const { connectPostgres } = await built<typeof postgresPool>('database/engine/postgres-pool.js');
  const url = `postgres://nobody@127.0.0.1:${deadPort}/none`;
  const options = { url, maxConnections: 1, applicationName: 'test', onLost: () => undefined };
  await expect(connectPostgres(options)).rejects.toThrow(
    /PostgreSQL server .* cannot be used: .*ECONNREFUSED/,
  );
});

it('follows a link with undici', async () => {
  const { createLinkCheck } = await built<typeof linkCheck>('lib/http/link-check.js');
  const links = createLinkCheck({ allowPrivate: true, timeoutMs: 10_000 });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(await links.check(url, 'ws_1')).toEqual({ kind: 'works', status: 200 });
  await links.close();
});
