import { describe, expect, test } from 'vitest';
import type { ResolveName } from '../../../src/lib/http/address-guard.js';
import { resolveAndCheck, urlProblem } from '../../../src/lib/http/outside-url.js';

const PUBLIC = { allowPrivate: false };
const OWN = { allowPrivate: true };

describe('urlProblem', () => {
  test.each([
    'https://hooks.example.com/in?x=1',
    'http://hooks.example.com:8080/',
    'https://1.1.1.1/',
    'https://[2606:4700::1]:444/',
  ])('%s is valid', (url) => {
    expect(urlProblem(url, PUBLIC)).toBeNull();
  });

  test.each([
    ['', 'invalid'],
    ['hooks.example.com', 'invalid'],
    ['/path', 'invalid'],
    ['ftp://hooks.example.com/', 'must start with'],
    ['file:///etc/passwd', 'must start with'],
    ['javascript:alert(1)', 'must start with'],
    ['https://user@hooks.example.com/', 'username'],
    ['https://user:pass@hooks.example.com/', 'username'],
    ['https://hooks.example.com:0/', 'port 0'],
    ['http://localhost:3000/', 'loopback'],
    ['http://api.localhost./', 'loopback'],
    ['http://127.0.0.1/', 'loopback'],
    ['http://127.1/', 'loopback'],
    ['http://2130706433/', 'loopback'],
    ['http://0x7f000001/', 'loopback'],
    ['http://0177.0.0.1/', 'loopback'],
    ['http://0/', 'unspecified'],
    ['http://[::]/', 'unspecified'],
    ['http://[::ffff:192.168.0.1]/', 'private'],
    ['http://10.0.0.1:9000/', 'private'],
    ['http://169.254.169.254/latest/meta-data', 'metadata'],
    [`https://hooks.example.com/${'x'.repeat(2048)}`, 'exceeds'],
  ])('%s is refused', (url, why) => {
    expect(urlProblem(url, PUBLIC)).toContain(why);
  });

  test('private networks pass if allowed, but never cloud metadata', () => {
    for (const url of [
      'http://localhost:3000/',
      'http://127.0.0.1/',
      'http://[fd00::1]/',
      'http://10.1.1.1/',
    ]) {
      expect(urlProblem(url, OWN)).toBeNull();
    }
    expect(urlProblem('http://169.254.169.254/', OWN)).toContain('metadata');
  });
});

describe('resolveAndCheck', () => {
  const to = (...addresses: string[]): ResolveName => {
    return () => Promise.resolve(addresses.map((address) => ({ address, family: 4 })));
  };
  const url = 'https://hooks.example.com/';

  test('a name that resolves to a private network is refused, even with a public address beside it', async () => {
    expect(await resolveAndCheck(url, { ...PUBLIC, resolve: to('10.0.0.1') })).toBe(
      'The URL must resolve to a public address, but hooks.example.com resolves to a private address.',
    );
    expect(await resolveAndCheck(url, { ...PUBLIC, resolve: to('1.1.1.1', '127.0.0.1') })).toContain(
      'a loopback address',
    );
    expect(await resolveAndCheck(url, { ...OWN, resolve: to('10.0.0.1') })).toBeNull();
  });

  test('a public name passes, and so does one that does not resolve now', async () => {
    expect(await resolveAndCheck(url, { ...PUBLIC, resolve: to('1.1.1.1') })).toBeNull();
    expect(
      await resolveAndCheck(url, { ...PUBLIC, resolve: () => Promise.reject(new Error('no')) }),
    ).toBeNull();
    const never = (): Promise<never> => new Promise(() => undefined);
    expect(await resolveAndCheck(url, { ...PUBLIC, resolve: never, timeoutMs: 20 })).toBeNull();
  });

  test('the URL is checked first', async () => {
    expect(await resolveAndCheck('http://127.0.0.1/', { ...PUBLIC, resolve: to('1.1.1.1') })).toContain(
      'loopback',
    );
  });
});
