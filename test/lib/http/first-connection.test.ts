// Tests a listener that starts the real server with the first connection.
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { listenForFirstConnection } from '../../../src/lib/http/first-connection.js';
import { servePlain, type PlainServer } from '../../../src/lib/http/plain-server.js';

const HOST = '127.0.0.1';
let server: PlainServer | null = null;
let starts = 0;

afterEach(async () => {
  await server?.close();
  server = null;
  starts = 0;
});

async function startServer(port: number): Promise<void> {
  starts += 1;
  const answer = { status: 200, contentType: 'text/plain', body: 'hello' };
  server = await servePlain({ host: HOST, port }, { '/': () => Promise.resolve(answer) });
}

async function get(port: number): Promise<string> {
  return (await fetch(`http://${HOST}:${port}/`, { headers: { connection: 'close' } })).text();
}

it('handles the first connection and later ones in one server', async () => {
  const { port } = await listenForFirstConnection({ host: HOST, port: 0 }, startServer);
  expect(starts).toBe(0);
  expect(await get(port)).toBe('hello');
  expect(await Promise.all([get(port), get(port)])).toEqual(['hello', 'hello']);
  expect(starts).toBe(1);
});

it('ends the connection if the server does not start', async () => {
  const { port } = await listenForFirstConnection({ host: HOST, port: 0 }, () =>
    Promise.reject(new Error('no thread')),
  );
  const socket = connect({ host: HOST, port });
  socket.write('GET / HTTP/1.1\r\n\r\n');
  await expect(text(socket).catch(() => '')).resolves.toBe('');
});

it('frees the port when it is closed', async () => {
  const listener = await listenForFirstConnection({ host: HOST, port: 0 }, startServer);
  listener.close();
  await startServer(listener.port);
  expect(await get(listener.port)).toBe('hello');
});

it('rejects if the port is taken', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, HOST, resolve));
  const { port } = taken.address() as { port: number };
  await expect(listenForFirstConnection({ host: HOST, port }, startServer)).rejects.toThrow('EADDRINUSE');
  await new Promise((resolve) => taken.close(resolve));
});
