// Tests the probe against real listeners on loopback.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createResolver } from '../../../src/lib/dns/index.js';
import { createProbe, type ReachTarget } from '../../../src/lib/smtp/probe.js';
import { freePort } from '../../support/free-port.js';

const resolver = createResolver({ servers: ['127.0.0.1:1'], timeoutMs: 100, tries: 1, clock: () => 0 });
const probe = createProbe({ resolver, clock: () => 0 });
const never = new AbortController().signal;
let server: Server | null = null;
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  const open = server;
  server = null;
  if (open) await new Promise((resolve) => open.close(resolve));
});

async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const opened = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  server = opened;
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
  return (opened.address() as AddressInfo).port;
}

function target(port: number, change: Partial<ReachTarget> = {}): ReachTarget {
  return { address: '127.0.0.1', port, timeoutMs: 1_000, greets: true, allowPrivate: true, ...change };
}

test('a mail host that greets is reached, and gets QUIT', async () => {
  let said = '';
  const port = await listen((socket) => {
    socket.write('220-first\r\n220 second\r\n');
    socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
  });
  expect(await probe.reach(target(port), never)).toEqual({ kind: 'reached', greeting: '220 first' });
  await expect.poll(() => said).toBe('QUIT\r\n');
});

test("a peer's text is truncated and cleaned", async () => {
  const port = await listen((socket) => socket.end(`554 \u001b[31m${'x'.repeat(5_000)}\r\n`));
  const outcome = await probe.reach(target(port), never);
  expect(outcome).toMatchObject({ kind: 'reached' });
  const greeting = outcome.kind === 'reached' ? (outcome.greeting ?? '') : '';
  expect(greeting.length).toBeLessThan(600);
  expect(greeting).not.toContain('\u001b');
});

test('a silent or closing peer still counts as reached', async () => {
  const port = await listen((socket) => socket.end());
  expect(await probe.reach(target(port), never)).toEqual({ kind: 'reached', greeting: null });
  expect(await probe.reach(target(port, { greets: false }), never)).toEqual({
    kind: 'reached',
    greeting: null,
  });
});

test('a missing listener is reported as refused', async () => {
  expect(await probe.reach(target(await freePort()), never)).toMatchObject({
    kind: 'failed',
    why: 'refused',
  });
});

test('a source address of another machine is reported separately', async () => {
  const port = await listen((socket) => socket.end());
  const outcome = await probe.reach(target(port, { localAddress: '203.0.113.77' }), never);
  expect(outcome).toMatchObject({ kind: 'failed', why: 'not_ours' });
});

test('a private address is only connected to if allowed', async () => {
  const seen: Socket[] = [];
  const port = await listen((socket) => seen.push(socket));
  const outcome = await probe.reach(target(port, { allowPrivate: false }), never);
  expect(outcome).toEqual({ kind: 'failed', why: 'forbidden', error: '127.0.0.1 is a loopback address' });
  expect(seen).toEqual([]);
});

test('a web server returns the time, or the reason for its absence', async () => {
  const answers = ['Date: Thu, 01 Jan 2026 00:00:00 GMT', 'Date: tomorrow'];
  const port = await listen((socket) => {
    socket.once('data', () => {
      const date = answers.shift() ?? '';
      socket.end(`HTTP/1.1 204 No Content\r\n${date}\r\nConnection: close\r\n\r\n`);
    });
  });
  const url = `http://127.0.0.1:${port}/`;
  const at = Date.UTC(2026, 0, 1, 0, 0, 0, 500);
  expect(await probe.timeAt(url, never)).toEqual({ kind: 'told', at, ourTime: 0 });
  expect(await probe.timeAt(url, never)).toEqual({ kind: 'failed', error: 'the response has no date' });
  expect(await probe.timeAt(`http://127.0.0.1:${await freePort()}/`, never)).toMatchObject({
    kind: 'failed',
  });
  expect(await probe.timeAt('ftp://127.0.0.1/', never)).toMatchObject({ kind: 'failed' });
});

test('the end of all checks ends an open connection', async () => {
  const port = await listen(() => undefined);
  const ending = new AbortController();
  const outcome = probe.reach(target(port), ending.signal);
  setTimeout(() => ending.abort(), 50);
  expect((await outcome).kind).toBe('reached');
  expect((await probe.reach(target(port), ending.signal)).kind).toBe('failed');
});

test('the local source address is one address or none', async () => {
  const address = await probe.localAddress(4);
  expect(address === null || /^\d+\.\d+\.\d+\.\d+$/.test(address)).toBe(true);
});
