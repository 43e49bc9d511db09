// Tests that mistakes in the program are thrown, rather than taken for facts about a peer, a record or a
// name.
import { expect, it } from 'vitest';
import { createMailAuthentication, lookUpSpf } from '../../../src/lib/authentication/index.js';
import type { DnsResolver } from '../../../src/lib/dns/index.js';
import { createLinkCheck, createPolicyFetch, createPoster } from '../../../src/lib/http/index.js';
import { rethrowProgrammingError } from '../../../src/lib/runtime/programming-error.js';

const withCode = (error: Error, code: string): Error => Object.assign(error, { code });

it.each([
  new TypeError('spf is not a function'),
  new ReferenceError('spf is not defined'),
  withCode(new Error("Cannot find package 'mailauth'"), 'ERR_MODULE_NOT_FOUND'),
  withCode(new TypeError('The "delay" argument must be of type number'), 'ERR_INVALID_ARG_TYPE'),
])('%s is a programming error', (error) => {
  expect(() => rethrowProgrammingError(error)).toThrow(error);
});

it.each([
  withCode(new Error('connect ECONNREFUSED'), 'ECONNREFUSED'),
  withCode(new TypeError('Invalid URL'), 'ERR_INVALID_URL'),
  new Error('The record has two versions.'),
  'a text',
])('%s is not', (error) => {
  expect(() => rethrowProgrammingError(error)).not.toThrow();
});

const MISTAKE = new TypeError('lookup is not a function');
const mistaken = (): never => {
  throw MISTAKE;
};

it.each<[string, () => Promise<unknown>]>([
  [
    'an SPF record',
    () => lookUpSpf({ txt: () => Promise.reject(MISTAKE) } as unknown as DnsResolver, 'a.test', '192.0.2.1'),
  ],
  [
    'the sender of a mail',
    () =>
      createMailAuthentication({ resolve: () => Promise.reject(MISTAKE), hostName: 'mx.test' })(
        Buffer.from('From: a@a.test\r\n\r\nHello'),
        { clientAddress: '192.0.2.1', helo: 'a.test', mailFrom: 'a@a.test' },
      ),
  ],
  [
    'a link',
    () =>
      createLinkCheck({ allowPrivate: true, timeoutMs: 5_000, lookup: mistaken }).check(
        'http://a.test/',
        'ws_1',
      ),
  ],
  [
    'a receiver of webhooks',
    () =>
      createPoster({ allowPrivate: true, lookup: mistaken }).post('http://a.test/', {
        headers: {},
        body: '{}',
      }),
  ],
  [
    'a policy host',
    () => createPolicyFetch({ allowPrivate: true, resolve: () => Promise.reject(MISTAKE) })('a.test'),
  ],
])('does not become a verdict about %s', async (_, judge) => {
  await expect(judge()).rejects.toThrow(MISTAKE);
});
