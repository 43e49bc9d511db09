import { describe, expect, test } from 'vitest';
import { canonicalAddress, forbiddenAddressReason } from '../../../src/lib/addresses/address-range.rules.js';

// address, reason of the refusal (null: public), whether a private network may use it
const CASES: [string, string | null, boolean][] = [
  ['1.1.1.1', null, true],
  ['2606:4700:4700::1111', null, true],
  ['10.1.2.3', 'a private address', true],
  ['172.16.0.1', 'a private address', true],
  ['172.32.0.1', null, true],
  ['192.168.255.255', 'a private address', true],
  ['127.0.0.1', 'a loopback address', true],
  ['127.255.255.254', 'a loopback address', true],
  ['::1', 'a loopback address', true],
  ['169.254.1.1', 'a link-local address', true],
  ['fe80::1', 'a link-local address', true],
  ['fe80::1%eth0', 'a link-local address', true],
  ['169.254.169.254', 'a cloud metadata address', false],
  ['fd00:ec2::254', 'a cloud metadata address', false],
  ['168.63.129.16', 'a cloud metadata address', false],
  ['::ffff:168.63.129.16', 'a cloud metadata address', false],
  ['64:ff9b::a83f:8110', 'a cloud metadata address', false],
  ['169.254.170.2', 'a cloud metadata address', false],
  ['192.0.0.192', 'a cloud metadata address', false],
  ['fd20:ce:0::254', 'a cloud metadata address', false],
  ['fd00:42::42', 'a cloud metadata address', false],
  ['100.64.0.1', 'a shared (carrier-grade NAT) address', true],
  ['fd12:3456::1', 'a private address', true],
  ['fc00::1', 'a private address', true],
  ['0.0.0.0', 'an unspecified address', false],
  ['0.1.2.3', 'an unspecified address', false],
  ['::', 'an unspecified address', false],
  ['224.0.0.1', 'a multicast address', false],
  ['ff02::1', 'a multicast address', false],
  ['255.255.255.255', 'the broadcast address', false],
  ['240.0.0.1', 'a reserved address', false],
  ['192.0.2.1', 'a special-purpose address', true],
  ['198.18.0.1', 'a special-purpose address', true],
  ['2001:db8::1', 'a special-purpose address', true],
  ['fec0::1', 'a special-purpose address', false],
  ['4000::1', 'a reserved address', false],
  ['::127.0.0.1', 'a reserved address', false],
  ['::ffff:127.0.0.1', 'a loopback address', true],
  ['::ffff:7f00:1', 'a loopback address', true],
  ['::ffff:169.254.169.254', 'a cloud metadata address', false],
  ['::ffff:1.1.1.1', null, true],
  ['::ffff:0:10.0.0.1', 'a private address', true],
  ['64:ff9b::10.0.0.1', 'a private address', true],
  ['64:ff9b::1.1.1.1', null, true],
  ['64:ff9b:1::1', 'a local translation address', true],
  ['2002:7f00:1::', 'a loopback address', true],
  ['2002:101:101::', null, true],
  // Teredo: server 1.1.1.1, client 192.168.1.1 with every bit inverted.
  ['2001:0:101:101:0:0:3f57:fefe', 'a private address', true],
  ['2001:0:a00:1:0:0:fefe:fefe', 'a private address', true],
  ['2001:0:101:101:0:0:fefe:fefe', null, true],
  ['127.1', 'not an IP address', false],
  ['0177.0.0.1', 'not an IP address', false],
  ['2130706433', 'not an IP address', false],
  ['localhost', 'not an IP address', false],
  ['', 'not an IP address', false],
];

describe('forbiddenAddressReason', () => {
  test.each(CASES)('%s: %s', (ip, reason, ownNetwork) => {
    expect(forbiddenAddressReason(ip, { allowPrivate: false })).toBe(reason);
    expect(forbiddenAddressReason(ip, { allowPrivate: true })).toBe(ownNetwork ? null : reason);
  });
});

test('an address has one canonical form', () => {
  expect(canonicalAddress('::FFFF:8.8.8.8')).toBe('8.8.8.8');
  expect(canonicalAddress('2606:4700:0:0::1')).toBe(canonicalAddress('2606:4700::0001'));
});
