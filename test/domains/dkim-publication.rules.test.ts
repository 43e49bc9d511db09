import { describe, expect, it, test } from 'vitest';
import type { LifecycleKey } from '../../src/domains/keys/dkim-lifecycle.rules.js';
import {
  aliasTarget,
  keyText,
  publishedRecords,
  type DkimMode,
} from '../../src/domains/keys/dkim-publication.rules.js';
import { dkimKey } from '../support/dkim-keys.js';

const ALIASES = { zone: 'send.example', tenantId: 'tnt_01' };

function shown(keys: LifecycleKey[], mode: DkimMode, aliases: typeof ALIASES | null = ALIASES): string[] {
  return publishedRecords(keys, { domain: 'a.example', mode, aliases }).map(
    ({ host, type, value, required }) =>
      `${required ? '*' : ''}${host.replace('._domainkey.a.example', '')} ${type} ${value.replace('v=DKIM1; ', '')}`,
  );
}

const slotted = (slot: 0 | 1, state: LifecycleKey['state']): LifecycleKey =>
  dkimKey(`svc${slot + 1}`, { slot, state, created_at: slot });
const TARGET = '01.dkim.send.example';

describe('records to publish', () => {
  it.each<[string, LifecycleKey[], DkimMode, string[]]>([
    ['txt: the first keys', [dkimKey('ed'), dkimKey('r')], 'txt', ['*r TXT p=r', 'ed TXT p=ed']],
    [
      'txt: while rotating the key that signs counts',
      [dkimKey('r', { state: 'active' }), dkimKey('n', { created_at: 1 }), dkimKey('ed')],
      'txt',
      ['*r TXT p=r', 'n TXT p=n', 'ed TXT p=ed'],
    ],
    [
      'txt: afterwards both stay, until the former is revoked',
      [
        dkimKey('r', { state: 'retiring' }),
        dkimKey('n', { state: 'active' }),
        dkimKey('o', { state: 'revoked' }),
      ],
      'txt',
      ['*n TXT p=n', 'r TXT p=r'],
    ],
    [
      'cname: four aliases from the start, for all keys to come',
      [slotted(0, 'pending')],
      'cname',
      [
        `*svc1 CNAME svc1.${TARGET}`,
        `*svc2 CNAME svc2.${TARGET}`,
        `svc-ed1 CNAME svc-ed1.${TARGET}`,
        `svc-ed2 CNAME svc-ed2.${TARGET}`,
      ],
    ],
    [
      'from txt to cname: the key that signs counts, the aliases are added',
      [dkimKey('r', { state: 'active' }), slotted(0, 'pending')],
      'cname',
      [
        '*r TXT p=r',
        `svc1 CNAME svc1.${TARGET}`,
        `svc2 CNAME svc2.${TARGET}`,
        `svc-ed1 CNAME svc-ed1.${TARGET}`,
        `svc-ed2 CNAME svc-ed2.${TARGET}`,
      ],
    ],
    [
      'from cname to txt: the alias of the key that signs stays',
      [slotted(1, 'active'), dkimKey('n', { created_at: 5 })],
      'txt',
      [`*svc2 CNAME svc2.${TARGET}`, 'n TXT p=n'],
    ],
    [
      'zone: the records as we answer them',
      [slotted(0, 'active'), slotted(1, 'pending')],
      'zone',
      ['*svc1 TXT p=svc1', 'svc2 TXT p=svc2'],
    ],
  ])('%s', (_name, keys, mode, expected) => {
    expect(shown(keys, mode)).toEqual(expected);
  });

  test('exclude another domain of the same owner', () => {
    expect(shown([dkimKey('r', { domain: 'old.example', state: 'retiring' })], 'txt', null)).toEqual([]);
  });
});

test.each<[LifecycleKey['state'], string | null]>([
  ['pending', 'v=DKIM1; p=r'],
  ['published', 'v=DKIM1; p=r'],
  ['active', 'v=DKIM1; p=r'],
  ['retiring', 'v=DKIM1; p=r'],
  ['revoked', 'v=DKIM1; p='],
  ['retired', null],
])('a key that is %s is published as %s', (state, text) => {
  expect(keyText(dkimKey('r', { state }))).toBe(text);
});

test('an alias leads to a name of its owner below the zone', () => {
  expect(aliasTarget({ selector: 'svc1', tenantId: 'tnt_01', zone: 'send.example' })).toBe(
    'svc1.01.dkim.send.example',
  );
});
