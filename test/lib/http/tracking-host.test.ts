// Tests the check of a click domain against TLS servers on loopback.
import { createServer, type Server, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { createTrackingHostCheck } from '../../../src/lib/http/tracking-host.js';
import { createResolver } from '../../../src/lib/dns/index.js';
import { systemClock } from '../../../src/lib/runtime/index.js';
import { startDnsServer } from '../../support/dns-server.js';
import { selfSignedCertificate } from '../../support/test-certificate.js';

const HOST = 'click.customer.example';
const right = selfSignedCertificate('mail.platform.example', HOST);
const other = selfSignedCertificate('mail.platform.example');

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

async function check(port: number, ca: string) {
  const dns = await startDnsServer();
  dns.set('mail.platform.example', 'A', ['127.0.0.1']);
  const resolver = createResolver({ servers: [dns.address], timeoutMs: 500, tries: 1, clock: systemClock });
  closing.push(
    () => resolver.close(),
    () => dns.close(),
  );
  const publicUrl = `https://mail.platform.example:${port}`;
  return createTrackingHostCheck({ publicUrl, resolver, timeoutMs: 500, ca: [ca] })(HOST);
}

it('accepts a certificate for the name', async () => {
  expect(await check(await listening(createTlsServer(right)), right.cert)).toBeNull();
});

it('explains a certificate for another name', async () => {
  expect(await check(await listening(createTlsServer(other)), other.cert)).toContain(HOST);
});

it('reports an untrusted certificate', async () => {
  expect(await check(await listening(createTlsServer(right)), other.cert)).toMatch(/self-signed/);
});

it('reports a host that does not respond in time, closes the connection, or is missing', async () => {
  expect(await check(await listening(createServer((socket) => socket.resume())), right.cert)).toBe(
    'no TLS handshake in time',
  );
  expect(await check(await listening(createServer((socket) => socket.destroy())), right.cert)).not.toBeNull();
  expect(await check(1, right.cert)).toContain('ECONNREFUSED');
});

it('checks nothing over HTTP', async () => {
  const resolver = createResolver({ servers: [], timeoutMs: 100, tries: 1, clock: systemClock });
  closing.push(() => resolver.close());
  expect(
    await createTrackingHostCheck({ publicUrl: 'http://mail.platform.example', resolver })(HOST),
  ).toBeNull();
});
