import { describe, expect, it } from 'vitest';
import {
  isSuspicious,
  portVerdict,
  siteSilent,
  type HostAnswer,
  type PortVerdict,
  type SilentSites,
} from '../../src/outbound/shape/port-block.rules.js';

const MINUTE = 60_000;

function after(...silences: [site: string, minute: number][]): SilentSites {
  return silences.reduce<SilentSites>(
    (sites, [site, minute]) => siteSilent(sites, site, minute * MINUTE),
    new Map(),
  );
}

describe('the silence of sites', () => {
  it.each<[string, [string, number][], number, boolean]>([
    [
      'of three over five minutes',
      [
        ['a', 0],
        ['b', 2],
        ['c', 5],
      ],
      5,
      true,
    ],
    [
      'of three within five minutes',
      [
        ['a', 0],
        ['b', 2],
        ['c', 4],
      ],
      4,
      false,
    ],
    [
      'of two, however long',
      [
        ['a', 0],
        ['b', 2],
        ['a', 40],
        ['b', 50],
      ],
      50,
      false,
    ],
    [
      'of one again and again',
      [
        ['a', 0],
        ['a', 5],
        ['a', 10],
      ],
      10,
      false,
    ],
    [
      'of three that lasts',
      [
        ['a', 0],
        ['b', 1],
        ['c', 2],
        ['a', 6],
      ],
      6,
      true,
    ],
    [
      'of which some is older than an hour',
      [
        ['a', 0],
        ['b', 1],
        ['c', 70],
      ],
      70,
      false,
    ],
    [
      'of before the clock was set back',
      [
        ['a', 50],
        ['b', 50],
        ['c', 1],
      ],
      1,
      false,
    ],
  ])('%s', (_what, silences, now, expected) => {
    expect(isSuspicious(after(...silences), now * MINUTE, 5 * MINUTE)).toBe(expected);
  });

  it('is recorded for a limited number of sites', () => {
    const many = Array.from({ length: 500 }, (_, i): [string, number] => [`site ${i}`, 1]);
    expect(after(...many).size).toBeLessThanOrEqual(50);
  });
});

it.each<[HostAnswer[], PortVerdict]>([
  [[], 'suspected'],
  [['unknown', 'unknown'], 'suspected'],
  [['silent'], 'suspected'],
  [['silent', 'unknown'], 'suspected'],
  [['silent', 'silent'], 'blocked'],
  [['silent', 'silent', 'answered'], 'open'],
  [['answered'], 'open'],
])('known hosts that are %j: %s', (answers, verdict) => {
  expect(portVerdict(answers)).toBe(verdict);
});
