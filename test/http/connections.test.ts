// Tests that useless connections are closed or make room for others.
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closed } from '../../src/contract/schema.js';
import type { Api } from '../../src/http/api.js';
import { createBrokenHttpAnswerer } from '../../src/http/server/broken-http.js';
import { connectionLimits, createConnectionGuard } from '../../src/lib/http/index.js';
import { createHttpsListener, type HttpsListener } from '../../src/http/server/https.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { selfSignedCertificate } from '../support/test-certificate.js';

import { waitFor } from '../support/wait.js';

const LIMIT = 8;

let api: StartedApi;
let port: number;
let release: () => void;
const sockets: Socket[] = [];
const servers: Server[] = [];
const doors: HttpsListener[] = [];

function routes(app: Api): void {
  const body = closed({ text: Type.String() });
  const config = { public: true };
  app.post('/v1/echo', { config, schema: { body } }, (request) => request.body);
  app.get('/v1/wait', { config }, async () => {
    await new Promise<void>((resolve) => (release = resolve));
    return {};
  });
}

beforeEach(async () => {
  release = () => undefined;
  api = await startApi({ routes: () => [routes], settings: { httpConnections: LIMIT } });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = api.app.server.address() as AddressInfo);
});
afterEach(async () => {
  release();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const door of doors.splice(0)) await door.close();
  for (const server of servers.splice(0)) server.close();
  await api.close();
});

/** A peer that sends this text, reads nothing and never closes. */
async function peer(text: string, to = port): Promise<Socket> {
  const socket = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true });
  socket.pause();
  socket.on('error', () => undefined);
  sockets.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(text);
  return socket;
}

async function answers(path = '/healthz', to = port): Promise<number | null> {
  const headers = { connection: 'close' };
  return fetch(`http://127.0.0.1:${to}${path}`, { headers }).then(
    (response) => response.status,
    () => null,
  );
}

it('ends the connection of a malformed request, even if its peer neither reads nor closes', async () => {
  await peer('NOT HTTP AT ALL\r\n\r\n');
  await waitFor('the connection is gone', () => api.app.connections.count() === 0);
});

it.each([
  ['silent', ''],
  ['half a head', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ['kept alive', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
  [
    'half a body',
    'POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  ],
])('serves others if all connections are taken by idle peers: %s', async (_name, text) => {
  for (let i = 0; i < LIMIT * 3; i++) await peer(text);
  for (let i = 0; i < 5; i++) expect(await answers()).toBe(200);
  expect(api.app.connections.count()).toBeLessThanOrEqual(LIMIT);
});

it('keeps a connection whose request is being handled', async () => {
  const waiting = answers('/v1/wait');
  await waitFor('it waits', () => api.app.connections.count() === 1);
  for (let i = 0; i < LIMIT * 2; i++) await peer('');
  expect(await answers()).toBe(200);
  release();
  expect(await waiting).toBe(200);
});

it('counts TLS connections with the others', async () => {
  const certificate = selfSignedCertificate('localhost');
  const door = await createHttpsListener({
    app: api.app,
    certificates: { current: () => certificate, subscribe: () => () => undefined },
  });
  doors.push(door);
  const listening = await door.listen({ host: '127.0.0.1', port: 0 });
  if (!listening.ok) throw new Error(listening.reason);
  for (let i = 0; i < LIMIT * 2; i++) await peer('', listening.address.port);
  await waitFor('they are counted', () => api.app.connections.count() > 0);
  expect(api.app.connections.count()).toBeLessThanOrEqual(LIMIT);
  expect(await answers()).toBe(200);
});

describe('the guard', () => {
  async function guarded(total: number, perSite: number) {
    const large = Buffer.alloc(16 * 1024 * 1024);
    const server = createServer(({ url }, response) => response.end(url === '/large' ? large : 'ok'));
    servers.push(server);
    const guard = createConnectionGuard({ total, perSite }, () => false, 50);
    guard.watch(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { guard, at: (server.address() as AddressInfo).port };
  }

  it('limits one client network to its share', async () => {
    const { guard, at } = await guarded(100, 3);
    for (let i = 0; i < 10; i++) await peer('', at);
    expect(await answers('/', at)).toBe(200);
    expect(guard.count()).toBeLessThanOrEqual(3);
  });

  it('ends a connection whose response is not read', async () => {
    const { at } = await guarded(5, 5);
    for (let i = 0; i < 5; i++) await peer('GET /large HTTP/1.1\r\nHost: x\r\n\r\n', at);
    await waitFor('others are served', async () => (await answers('/', at)) === 200);
  });

  it.each([
    [5_000, null, { total: 5_000, perSite: 1_000 }],
    [5_000, 1_024, { total: 512, perSite: 102 }],
    [5_000, 10, { total: 10, perSite: 2 }],
    [20, 100_000, { total: 20, perSite: 4 }],
  ])('uses at most half of the file descriptors: %s of %s', (wanted, descriptors, expected) => {
    expect(connectionLimits(wanted, descriptors)).toEqual(expected);
  });
});

describe('a server that shuts down', () => {
  it('waits for a request in progress, and not for idle clients', async () => {
    await peer('');
    await peer('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    await answers();
    const under = answers('/v1/wait');
    await waitFor('it is under way', () => Promise.resolve(api.app.connections.count() >= 3));
    let isClosed = false;
    const closing = api.app.close().then(() => (isClosed = true));
    await waitFor('only it is left', () => Promise.resolve(api.app.connections.count() === 1));
    expect(isClosed).toBe(false);
    release();
    expect(await under).toBe(200);
    await closing;
  });
});

it('returns 408 if no request arrives, and closes', async () => {
  const server = createServer({ headersTimeout: 50, connectionsCheckingInterval: 20 });
  servers.push(server);
  server.on('clientError', createBrokenHttpAnswerer(50));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = await peer('GET / HTTP/1.1\r\n', (server.address() as AddressInfo).port);
  let heard = '';
  socket.on('data', (octets: Buffer) => (heard += octets.toString()));
  socket.resume();
  await new Promise((resolve) => socket.once('end', resolve));
  expect(heard).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
});
