// Tests the time limit of request bodies.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createBrokenHttpAnswerer } from '../../../src/http/server/broken-http.js';
import { allowLongUpload, boundBodyTime } from '../../../src/lib/http/body-time.js';

const open: { close: () => void }[] = [];
afterEach(() => open.splice(0).forEach((one) => one.close()));

const LIMITS = { periodMs: 200, uploadBytesPerSecond: 100 };

/**
 * A server that responds with the size of a body, and a peer that has sent the head of a request of `length`
 * octets.
 */
async function begin(length: number, onRequest: (request: IncomingMessage) => void = () => undefined) {
  const server: Server = createServer({ requestTimeout: 0 }, (request, response) => {
    onRequest(request);
    let size = 0;
    request.on('data', (piece: Buffer) => (size += piece.length));
    request.on('end', () => response.end(`size ${size}`));
  });
  server.on('clientError', createBrokenHttpAnswerer(50));
  boundBodyTime(server, LIMITS);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => server.close() });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  open.push({ close: () => socket.destroy() });
  let heard = '';
  socket.on('data', (octets: Buffer) => (heard += octets.toString()));
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`);
  return { socket, answer: () => ended.then(() => heard) };
}

/** Sends `octets` `count` times at an interval; stops when the peer closes. */
function drip(socket: Socket, { octets, count }: { octets: number; count: number }): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (sent++ >= count || !socket.writable) clearInterval(timer);
    else socket.write('x'.repeat(octets));
  }, 50);
}

it('a body that drips is refused after the period', async () => {
  const { socket, answer } = await begin(1_000);
  drip(socket, { octets: 100, count: 10 });
  expect(await answer()).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
});

it('an upload may take longer above the minimum rate', async () => {
  const { socket, answer } = await begin(1_000, allowLongUpload);
  drip(socket, { octets: 100, count: 10 });
  expect(await answer()).toMatch(/size 1000$/);
});

it('an upload below the minimum rate is refused', async () => {
  const { socket, answer } = await begin(1_000, allowLongUpload);
  drip(socket, { octets: 1, count: 100 });
  expect(await answer()).toMatch(/^HTTP\/1\.1 408 /);
});
