import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  checkLiteral,
  ForbiddenAddressError,
  guardedLookup,
  resolveByDns,
  type ResolveName,
} from '../../../src/lib/http/address-guard.js';
import { createResolver } from '../../../src/lib/dns/index.js';
import { startDnsServer } from '../../support/dns-server.js';

const to = (...addresses: string[]): ResolveName => {
  return () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
};

let server: Server;
let port: number;
let accepted: number;

beforeEach(async () => {
  accepted = 0;
  server = createServer((socket) => {
    accepted++;
    socket.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  port = typeof bound === 'object' && bound ? bound.port : 0;
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

async function tryConnect(options: { allowPrivate: boolean; resolve: ResolveName }): Promise<Socket | Error> {
  const socket = connect({ host: 'hook.example', port, lookup: guardedLookup(options) });
  return new Promise((resolve) => {
    socket.once('connect', () => {
      resolve(socket);
      socket.destroy();
    });
    socket.once('error', resolve);
  });
}

describe('guardedLookup', () => {
  test('a socket to a name that resolves to loopback never connects', async () => {
    const result = await tryConnect({ allowPrivate: false, resolve: to('127.0.0.1') });
    expect(result).toBeInstanceOf(ForbiddenAddressError);
    expect((result as Error).message).toBe('hook.example resolves to a loopback address');
    expect(accepted).toBe(0);
  });

  test('it connects if private addresses are allowed', async () => {
    const result = await tryConnect({ allowPrivate: true, resolve: to('127.0.0.1') });
    expect(result).not.toBeInstanceOf(Error);
  });

  test('the checked address is used without a second lookup', async () => {
    let lookUps = 0;
    const rebinding: ResolveName = (hostname) => {
      lookUps++;
      return to(lookUps === 1 ? '169.254.169.254' : '127.0.0.1')(hostname);
    };
    expect(await tryConnect({ allowPrivate: false, resolve: rebinding })).toBeInstanceOf(
      ForbiddenAddressError,
    );
    expect(lookUps).toBe(1);
  });

  test('forbidden addresses are removed from a mixed answer', async () => {
    const lookup = guardedLookup({
      allowPrivate: false,
      resolve: to('10.0.0.1', '1.1.1.1', '::1', '2606:4700::1'),
    });
    const list = await new Promise((resolve) => {
      lookup('hook.example', { all: true }, (_error, addresses) => resolve(addresses));
    });
    expect(list).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
    const six = await new Promise((resolve) => {
      lookup('hook.example', { family: 6 }, (_error, address) => resolve(address));
    });
    expect(six).toBe('2606:4700::1');
  });

  test('a name without addresses is an ordinary lookup error', async () => {
    expect(await tryConnect({ allowPrivate: true, resolve: to() })).toMatchObject({ code: 'ENOTFOUND' });
  });
});

test('IP literals are checked with and without brackets, and names pass', () => {
  expect(() => checkLiteral('127.0.0.1', { allowPrivate: false })).toThrow(ForbiddenAddressError);
  expect(() => checkLiteral('[::ffff:10.0.0.1]', { allowPrivate: false })).toThrow('a private address');
  expect(() => checkLiteral('[::1]', { allowPrivate: true })).not.toThrow();
  expect(() => checkLiteral('10.example', { allowPrivate: false })).not.toThrow();
});

test("Mailkeel's resolver answers first, then the system's, and a timeout is final", async () => {
  const dns = await startDnsServer({
    zones: { 'hook.test': { A: ['192.0.2.7'] }, 'slow.test': { A: ['192.0.2.8'] } },
  });
  dns.fault('slow.test', 'drop');
  const resolver = createResolver({ servers: [dns.address], timeoutMs: 100, tries: 1, clock: () => 0 });
  const resolve = resolveByDns(resolver);
  expect(await resolve('hook.test')).toEqual([{ address: '192.0.2.7', family: 4 }]);
  expect((await resolve('localhost')).map(({ address }) => address)).toContain('127.0.0.1');
  await expect(resolve('slow.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  resolver.close();
  await dns.close();
});
