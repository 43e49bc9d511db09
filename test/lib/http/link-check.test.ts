// Tests that responses make a link work, dead or unknown, and that private addresses are never requested.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectionProblem, guardedLookup } from '../../../src/lib/http/address-guard.js';
import { createLinkCheck, type LinkCheck, type LinkCheckOptions } from '../../../src/lib/http/link-check.js';
import { freePort } from '../../support/free-port.js';
import { startHttpReceiver, type HttpReceiver } from '../../support/http-receiver.js';

let receiver: HttpReceiver;
const open = new Set<LinkCheck>();

function linkCheck(options: Partial<LinkCheckOptions> = {}): LinkCheck {
  const made = createLinkCheck({ allowPrivate: true, timeoutMs: 2_000, ...options });
  open.add(made);
  return made;
}

beforeEach(async () => {
  receiver = await startHttpReceiver();
});

afterEach(async () => {
  await Promise.all([...open].map((made) => made.close()));
  open.clear();
  await receiver.close();
});

describe('link checks', () => {
  test('request the same link once in ten minutes, even for simultaneous checks', async () => {
    let now = 0;
    const links = linkCheck({ clock: () => now });
    const all = await Promise.all(Array.from({ length: 20 }, () => links.check(receiver.url, 'ws_1')));
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['works']));
    expect(receiver.requests).toHaveLength(1);
    now += 9 * 60_000;
    await links.check(receiver.url, 'ws_2');
    expect(receiver.requests).toHaveLength(1);
    now += 2 * 60_000;
    await links.check(receiver.url, 'ws_1');
    expect(receiver.requests).toHaveLength(2);
  });

  test('send one site at most sixty requests in ten minutes, including redirects', async () => {
    receiver.setDefault({ redirectTo: '/again' });
    let now = 0;
    const links = linkCheck({ clock: () => now });
    const states = await Promise.all(
      Array.from({ length: 300 }, (_, at) => links.check(`${receiver.url}/${at}`, `ws_${at % 30}`)),
    );
    expect(receiver.requests).toHaveLength(60);
    expect(states.at(-1)).toEqual({ kind: 'unknown', reason: '127.0.0.1 was asked too often lately' });
    now += 10 * 60_000;
    await links.check(`${receiver.url}/more`, 'ws_1');
    expect(receiver.requests).toHaveLength(66);
  });

  test('check three hundred links of a workspace in ten minutes, without affecting others', async () => {
    const lookup = guardedLookup({ allowPrivate: false, resolve: () => Promise.reject(new Error('none')) });
    const links = linkCheck({ lookup, clock: () => 0 });
    const ask = (at: number, owner: string) => links.check(`https://site${at}.example/`, owner);
    const states = await Promise.all(Array.from({ length: 301 }, (_, at) => ask(at, 'ws_1')));
    const over = { kind: 'unknown', reason: 'too many links were checked lately' };
    expect(
      states.filter(
        ({ kind, ...more }) => kind === over.kind && 'reason' in more && more.reason === over.reason,
      ),
    ).toHaveLength(1);
    expect(await ask(302, 'ws_2')).not.toEqual(over);
  });

  test('reveal no resolved addresses', async () => {
    const lookup = guardedLookup({
      allowPrivate: false,
      resolve: () => Promise.resolve([{ address: '10.1.2.3', family: 4 }]),
    });
    expect(await linkCheck({ lookup }).check('https://inside.example/', 'ws_1')).toEqual({
      kind: 'unknown',
      reason: 'inside.example resolves to a private address',
    });
    const unreachable = Object.assign(
      new Error('connect EHOSTUNREACH 10.1.2.3:443 - Local (10.9.9.9:41234)'),
      {
        code: 'EHOSTUNREACH',
        syscall: 'connect',
      },
    );
    expect(connectionProblem(unreachable)).toBe('connect EHOSTUNREACH');
  });
});

describe('a link', () => {
  test('that responds works, and only its head is requested', async () => {
    expect(await linkCheck().check(`${receiver.url}/page`, 'ws_1')).toEqual({ kind: 'works', status: 200 });
    expect(receiver.requests.map(({ method }) => method)).toEqual(['HEAD']);
  });

  test('that does not support HEAD is requested with GET', async () => {
    receiver.script({ status: 405 }, { status: 200 });
    expect(await linkCheck().check(receiver.url, 'ws_1')).toEqual({ kind: 'works', status: 200 });
    expect(receiver.requests.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
  });

  test.each([404, 410])('that returns %d is dead', async (status) => {
    receiver.setDefault({ status });
    expect((await linkCheck().check(receiver.url, 'ws_1')).kind).toBe('dead');
  });

  test.each([401, 403, 429, 500, 503])(
    'that returns %d is unknown, because people may see more',
    async (status) => {
      receiver.setDefault({ status });
      expect((await linkCheck().check(receiver.url, 'ws_1')).kind).toBe('unknown');
    },
  );

  test('that redirects is followed', async () => {
    receiver.script({ redirectTo: '/further' }, { status: 204 });
    expect(await linkCheck().check(`${receiver.url}/a`, 'ws_1')).toEqual({ kind: 'works', status: 204 });
    expect(receiver.requests.map(({ url }) => url)).toEqual(['/a', '/further']);
  });

  test('that redirects forever is dead after six requests', async () => {
    receiver.setDefault({ redirectTo: '/again' });
    expect((await linkCheck().check(receiver.url, 'ws_1')).kind).toBe('dead');
    expect(receiver.requests).toHaveLength(6);
  });

  test('without a listener is dead, and one that never responds is unknown', async () => {
    expect((await linkCheck().check(`http://127.0.0.1:${await freePort()}/`, 'ws_1')).kind).toBe('dead');
    receiver.setDefault({ fault: 'silence' });
    const late = await linkCheck({ timeoutMs: 200 }).check(receiver.url, 'ws_1');
    expect(late).toEqual({ kind: 'unknown', reason: 'no answer in time' });
  });

  test('with an endless body is not read', async () => {
    receiver.script({ status: 405 }, { fault: 'drip' });
    expect((await linkCheck().check(receiver.url, 'ws_1')).kind).toBe('works');
  });

  test('with an unknown name is dead', async () => {
    const lookup = guardedLookup({
      allowPrivate: false,
      resolve: () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })),
    });
    expect((await linkCheck({ lookup }).check('https://gone.example/', 'ws_1')).kind).toBe('dead');
  });
});

describe('private addresses', () => {
  test.each(['http://127.0.0.1/', 'http://[::1]/', 'http://localhost/', 'http://169.254.169.254/latest'])(
    'such as %s are not requested',
    async (url) => {
      expect((await linkCheck({ allowPrivate: false }).check(url, 'ws_1')).kind).toBe('unknown');
    },
  );

  test('behind a name are not requested', async () => {
    const lookup = guardedLookup({
      allowPrivate: false,
      resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    });
    const check = linkCheck({ allowPrivate: false, lookup });
    expect((await check.check(`http://inside.example:${receiver.port}/`, 'ws_1')).kind).toBe('unknown');
    expect(receiver.requests).toEqual([]);
  });

  test('behind a redirect are not requested', async () => {
    receiver.script({ redirectTo: 'http://169.254.169.254/latest' });
    expect((await linkCheck().check(receiver.url, 'ws_1')).kind).toBe('unknown');
    expect(receiver.requests).toHaveLength(1);
  });
});
