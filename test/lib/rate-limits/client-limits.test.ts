import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  afterTaking,
  arePlacesScarce,
  clientKeys,
  clientRates,
  hasRate,
  isLockedOut,
  memoryLimits,
  sessionToGiveWay,
  type Failures,
  type RateUse,
} from '../../../src/lib/rate-limits/client-limits.rules.js';

const MIB = 1024 * 1024;
const NOW = Date.UTC(2026, 10, 1);

describe('a client is counted', () => {
  it.each([
    ['192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['::FFFF:c000:24d', '192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ])('%s as %s of %s', (ip, address, network) => {
    expect(clientKeys(ip)).toEqual({ address, network });
  });

  it('with one /64 as one, and with two as two', () => {
    const key = (ip: string): string => clientKeys(ip).address;
    expect(key('2001:db8::1')).toBe(key('2001:db8::ffff:1'));
    expect(key('2001:db8::1')).not.toBe(key('2001:db8:0:1::1'));
    expect(clientKeys('2001:db8::1').network).toBe(clientKeys('2001:db8:0:1::1').network);
  });
});

describe('scarce slots', () => {
  const limits = { total: 10, perAddress: 2, perNetwork: 4, perAccount: 5, scarceIdleMs: 15_000 };
  it.each([
    [7, 7, null, false],
    [8, 0, null, true],
    [4, 3, 5, false],
    [4, 4, 5, true],
  ])(
    'with %i taken, %i of them by clients without sign-in, of at most %j: scarce %s',
    (total, unsigned, most, isScarce) => {
      expect(arePlacesScarce({ total, unsigned }, { ...limits, unsigned: most })).toBe(isScarce);
    },
  );
});

describe('the session that is ended', () => {
  const session = (name: string, ofNetwork: number, idleMs: number) => ({
    name,
    ofNetwork,
    progressedAt: NOW - idleMs,
  });
  const few = session('few', 2, 9_000);
  const many = session('many', 3, 2_000);
  const idler = session('idler', 3, 3_000);
  it.each([
    ['the one of the most crowded network', [few, many], 0, 0, 'many'],
    ['among its sessions the one without progress for the longest', [many, idler, few], 0, 0, 'idler'],
    ['none that has just come further', [session('busy', 5, 500), few], 0, 1_000, 'few'],
    [
      'none of a network that is no more crowded than the newcomer will make its own',
      [few, many],
      2,
      0,
      undefined,
    ],
    ['none where there is none', [], 0, 0, undefined],
  ])('is %s', (_what, sessions, ofNetwork, patienceMs, expected) => {
    expect(sessionToGiveWay(sessions, { ofNetwork, now: NOW, patienceMs })?.name).toBe(expected);
  });
});

describe('a rate limit per client', () => {
  const settings = { sessionsPerMinute: 3, messagesPerMinute: 0, octetsPerHour: 10 * 1024 };
  const address = clientRates(settings, 'address');

  it('of 0 is disabled', () => {
    expect(hasRate(address, { messages: NOW + 1e9 }, 'messages', NOW)).toBe(true);
    expect(afterTaking(address, {}, { what: 'messages', amount: 9, now: NOW })).toEqual({});
  });

  it('is five times as high for a network', () => {
    let use: RateUse = {};
    let count = 0;
    const network = clientRates(settings, 'network');
    for (; hasRate(network, use, 'sessions', NOW) && count < 100; count += 1) {
      use = afterTaking(network, use, { what: 'sessions', amount: 1, now: NOW });
    }
    expect(count).toBe(15);
  });

  it('of octets accepts a message that exceeds it, and then waits', () => {
    const use = afterTaking(address, {}, { what: 'octets', amount: 15 * 1024, now: NOW });
    expect(hasRate(address, use, 'octets', NOW)).toBe(false);
    expect(hasRate(address, use, 'octets', NOW + 1_800_000)).toBe(false);
    expect(hasRate(address, use, 'octets', NOW + 2_200_000)).toBe(true);
    const still = afterTaking(address, {}, { what: 'octets', amount: 1, now: NOW });
    expect(hasRate(address, still, 'octets', NOW)).toBe(true);
  });

  it('is close to the default of 2 GiB an hour', () => {
    const rates = clientRates({ ...settings, octetsPerHour: 2048 * MIB }, 'address');
    let [use, taken, now]: [RateUse, number, number] = [{}, 0, NOW];
    for (; now < NOW + 10 * 3_600_000; now += 1_000) {
      while (hasRate(rates, use, 'octets', now)) {
        use = afterTaking(rates, use, { what: 'octets', amount: 8 * MIB, now });
        taken += 8 * MIB;
      }
    }
    // A burst of one hour and ten hours.
    expect(taken / (11 * 2048 * MIB)).toBeCloseTo(1, 1);
  });
});

describe('memory', () => {
  it('holds the largest message of one client, and limits the share of each', () => {
    expect(memoryLimits(1024 * MIB, 35 * MIB)).toEqual({
      total: 1024 * MIB,
      perAddress: 256 * MIB,
      perNetwork: 512 * MIB,
    });
    expect(memoryLimits(MIB, 35 * MIB)).toEqual({
      total: 36 * MIB,
      perAddress: 36 * MIB,
      perNetwork: 36 * MIB,
    });
  });
});

describe('a lockout', () => {
  const terms = { failures: 3, lockoutMs: 1_000 };
  const fail = (times: readonly number[]): Failures | undefined =>
    times.reduce<Failures | undefined>((known, at) => afterFailure(known, terms, at), undefined);

  it.each([
    ['never failed', [], 0, false],
    ['two failures', [0, 1], 2, false],
    ['three failures', [0, 1, 2], 3, true],
    ['three failures, just before the end', [0, 1, 2], 1_001, true],
    ['three failures, at the end', [0, 1, 2], 1_002, false],
    ['three failures and one after the end', [0, 1, 2, 1_002], 1_003, false],
    ['failures far apart', [0, 1_000, 2_000, 3_000], 3_001, false],
    ['failures that come just in time', [0, 999, 1_998], 2_000, true],
  ])('%s', (_what, times, now, isOut) => {
    expect(isLockedOut(fail(times), terms, now)).toBe(isOut);
  });

  it('allows no more failures than the limit without a pause as long as the lockout', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_200 }), { maxLength: 200 }), (gaps) => {
        let known: Failures | undefined;
        let now = NOW;
        let inRow = 0;
        for (const gap of gaps) {
          now += gap;
          if (isLockedOut(known, terms, now)) continue;
          inRow = known !== undefined && now - known.lastAt < terms.lockoutMs ? inRow + 1 : 1;
          known = afterFailure(known, terms, now);
          expect(inRow).toBeLessThanOrEqual(terms.failures);
        }
      }),
    );
  });
});
