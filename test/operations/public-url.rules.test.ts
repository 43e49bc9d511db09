import { expect, it } from 'vitest';
import { publicUrlWarning } from '../../src/operations/preflight/public-url.rules.js';

it.each([
  ['http://mail.acme.com', true],
  ['http://mail.acme.com:8080/', true],
  ['http://203.0.114.9:8080', true],
  ['http://[2a01:4f8::1]', true],
  ['https://mail.acme.com', false],
  ['http://localhost:8080', false],
  ['http://127.0.0.1:8080', false],
  ['http://[::1]:8080', false],
  ['http://192.168.1.5', false],
  ['http://mailbox', false],
  ['http://mail.internal', false],
])('the start warns of a public URL without TLS: %s %s', (url, isWarned) => {
  expect(publicUrlWarning(url) !== null).toBe(isWarned);
});
