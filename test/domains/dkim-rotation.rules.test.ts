import { describe, expect, it } from 'vitest';
import type { LifecycleKey } from '../../src/domains/keys/dkim-lifecycle.rules.js';
import type { DkimMode } from '../../src/domains/keys/dkim-publication.rules.js';
import { rotationStart } from '../../src/domains/keys/dkim-rotation.rules.js';
import { DAY, dkimKey, LIFECYCLE } from '../support/dkim-keys.js';

const NOW = 1_000 * DAY;

function decide(keys: LifecycleKey[], mode: DkimMode, isEmergency: boolean): string {
  const decision = rotationStart({ keys, mode, isEmergency, now: NOW, settings: LIFECYCLE });
  if (decision.kind === 'refused') {
    return decision.reason === 'under_way' ? 'under way' : `taken for ${(decision.freeAt - NOW) / DAY} d`;
  }
  const { make, drop, revoke } = decision;
  const names = (them: LifecycleKey[]): string => them.map(({ id }) => id).join(' ');
  const made = make === null ? 'makes none' : `makes ${make.slot ?? 'new names'}`;
  return [
    made,
    drop.length > 0 ? `drops ${names(drop)}` : '',
    revoke.length > 0 ? `revokes ${names(revoke)}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

const pair = (at: string, fields: Partial<LifecycleKey>): LifecycleKey[] =>
  [`r${at}`, `ed${at}`].map((id) => dkimKey(id, { created_at: Number(at) * DAY, ...fields }));
const active = (at: string, fields: Partial<LifecycleKey> = {}): LifecycleKey[] =>
  pair(at, { state: 'active', activated_at: 0, ...fields });
const retiring = (at: string, fields: Partial<LifecycleKey> = {}): LifecycleKey[] =>
  pair(at, { state: 'retiring', activated_at: 0, retiring_at: NOW - 4 * DAY, ...fields });
const revoked = (at: string, fields: Partial<LifecycleKey> = {}): LifecycleKey[] =>
  pair(at, { state: 'revoked', activated_at: 0, revoked_at: NOW - 10 * DAY, ...fields });

describe('the start of a rotation', () => {
  it.each<[string, LifecycleKey[], DkimMode, boolean, string]>([
    ['keys with names of their own', active('1'), 'txt', false, 'makes new names'],
    ['again in the overlap', [...retiring('1'), ...active('2')], 'txt', false, 'makes new names'],
    ['new keys wait', [...active('1'), ...pair('2', {})], 'txt', false, 'under way'],
    ['the first keys wait', pair('1', {}), 'txt', false, 'under way'],
    ['the first keys are feared for', pair('1', {}), 'txt', true, 'makes new names, drops r1 ed1'],
    [
      'an Ed25519 key that nobody published is given up',
      [...active('1').slice(0, 1), ...pair('1', {}).slice(1)],
      'txt',
      false,
      'makes new names, drops ed1',
    ],
    [
      'new keys that nobody publishes give way to aliases',
      [...active('1'), ...pair('2', {})],
      'cname',
      false,
      'makes 0, drops r2 ed2',
    ],
    ['the other name', active('1', { slot: 0 }), 'cname', false, 'makes 1'],
    [
      'and back',
      [...pair('1', { state: 'retired', slot: 0 }), ...active('2', { slot: 1 })],
      'zone',
      false,
      'makes 0',
    ],
    [
      'the other name holds a key that mail on its way needs',
      [...retiring('1', { slot: 0 }), ...active('2', { slot: 1 })],
      'cname',
      false,
      'taken for 40 d',
    ],
    [
      'the other name says that a key is revoked',
      [...revoked('1', { slot: 0 }), ...active('2', { slot: 1 })],
      'cname',
      false,
      'taken for 20 d',
    ],
    [
      'that was revoked in an emergency',
      [...revoked('1', { slot: 0, revoke_at: NOW - 10 * DAY }), ...active('2', { slot: 1 })],
      'cname',
      false,
      'makes 0, drops r1 ed1',
    ],
    ['an emergency', active('1'), 'txt', true, 'makes new names, revokes r1 ed1'],
    [
      'an emergency in the overlap: what signed before is given up too',
      [...retiring('1'), ...active('2')],
      'txt',
      true,
      'makes new names, revokes r1 ed1 r2 ed2',
    ],
    [
      'an emergency while new keys wait: they follow',
      [...active('1'), ...pair('2', { state: 'published' })],
      'txt',
      true,
      'makes none, revokes r1 ed1',
    ],
    [
      'and with a new Ed25519 key that signs already',
      [...active('1').slice(0, 1), ...pair('2', {}).slice(0, 1), ...active('2').slice(1)],
      'txt',
      true,
      'makes none, revokes r1',
    ],
    [
      'an emergency that is under way',
      [...retiring('1', { revoke_at: NOW + 1 }), ...pair('2', {})],
      'txt',
      true,
      'under way',
    ],
    [
      'an emergency with the other name free',
      active('1', { slot: 1 }),
      'zone',
      true,
      'makes 0, revokes r1 ed1',
    ],
    [
      'an emergency with the other name in the overlap',
      [...retiring('1', { slot: 0 }), ...active('2', { slot: 1 })],
      'cname',
      true,
      'makes 0, drops r1 ed1, revokes r2 ed2',
    ],
    ['from aliases to names of their own', active('1', { slot: 0 }), 'txt', false, 'makes new names'],
  ])('%s', (_name, keys, mode, isEmergency, expected) => {
    expect(decide(keys, mode, isEmergency)).toBe(expected);
  });
});
