import { describe, expect, it } from 'vitest';
import {
  allowedAddressProblem,
  allowedAddressTest,
} from '../../../src/lib/addresses/allowed-addresses.rules.js';

describe('the addresses that may use a key', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.0/24', '192.0.2.200', true],
    ['192.0.2.0/24', '192.0.3.1', false],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['2001:db8::/32', '2001:db8:1::5', true],
    ['2001:db8::/32', '2001:db9::5', false],
    ['2001:DB8::1', '2001:db8:0:0::1', true],
    ['::/0', '192.0.2.1', false],
    ['192.0.2.0/24', '::ffff:192.0.2.4', true],
    ['::ffff:192.0.2.4', '192.0.2.4', true],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['192.0.2.0/24', 'nonsense', false],
  ])('with %s: %s is %s', (entry, client, expected) => {
    expect(allowedAddressTest([entry])(client)).toBe(expected);
  });

  it('can match any of the entries', () => {
    const test = allowedAddressTest(['192.0.2.1', '2001:db8::/64']);
    expect([test('192.0.2.1'), test('2001:db8::9'), test('192.0.2.2')]).toEqual([true, true, false]);
  });

  it.each([
    '',
    '192.0.2',
    '192.0.2.1/33',
    '2001:db8::/129',
    '192.0.2.1/',
    '192.0.2.1/8/8',
    '0x7f.1',
    '::ffff:1.2.3.4/96',
  ])('cannot be %j', (entry) => {
    expect(allowedAddressProblem(entry)).not.toBeNull();
    expect(allowedAddressTest([entry])('192.0.2.1')).toBe(false);
  });
});
