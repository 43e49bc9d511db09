import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  keyMoves,
  mainKey,
  rotatingKey,
  type KeyMove,
  type LifecycleKey,
} from '../../src/domains/keys/dkim-lifecycle.rules.js';
import { DAY, dkimKey, HOUR, LIFECYCLE, MINUTE } from '../support/dkim-keys.js';

const NOW = 1_000 * DAY;
type Seen = Record<string, boolean | null>;

function movesOf(keys: readonly LifecycleKey[], seen: Seen = {}, now = NOW): KeyMove[] {
  return keyMoves({ keys, lookups: new Map(Object.entries(seen)), now, settings: LIFECYCLE });
}

const brief = (moves: readonly KeyMove[]): string[] =>
  moves.map(
    ({ keyId, from, to, completesRotation }) => `${keyId} ${from} ${to}${completesRotation ? ' !' : ''}`,
  );

const active = (id: string, fields: Partial<LifecycleKey> = {}): LifecycleKey =>
  dkimKey(id, { state: 'active', published_at: 0, activated_at: 0, ...fields });
const next = (id: string, fields: Partial<LifecycleKey> = {}): LifecycleKey =>
  dkimKey(id, { created_at: NOW - 2 * DAY, ...fields });
const settled = { state: 'published', published_at: NOW - HOUR } as const;
const settling = { state: 'published', published_at: NOW - HOUR + 1 } as const;
const retiring = (id: string, fields: Partial<LifecycleKey> = {}): LifecycleKey =>
  dkimKey(id, { state: 'retiring', activated_at: 0, retiring_at: NOW - DAY, ...fields });

describe('keys that change state', () => {
  it.each<[string, LifecycleKey[], Seen, string[]]>([
    ['the first key signs as soon as it is seen', [dkimKey('r')], { r: true }, ['r pending active']],
    ['nobody could say', [dkimKey('r')], { r: null }, []],
    ['not there yet', [dkimKey('r')], { r: false }, []],
    ['not looked at', [dkimKey('r')], {}, []],
    [
      'each algorithm for itself',
      [dkimKey('r'), dkimKey('ed')],
      { r: false, ed: true },
      ['ed pending active'],
    ],
    ['the record of the RSA key goes: it signs on', [active('r')], { r: false }, []],
    [
      'the record of the Ed25519 key goes: it stops',
      [active('r'), active('ed')],
      { ed: false },
      ['ed active pending'],
    ],
    [
      'and comes back',
      [active('r'), dkimKey('ed', { created_at: 0 })],
      { r: true, ed: true },
      ['ed pending active'],
    ],
    ['a successor is seen first', [active('r'), next('n')], { r: true, n: true }, ['n pending published']],
    ['it settles', [active('r'), next('n', settling)], { r: true, n: true }, []],
    [
      'it has settled',
      [active('r'), next('n', settled)],
      { r: true, n: true },
      ['r active retiring', 'n published active !'],
    ],
    ['settled, but not seen now', [active('r'), next('n', settled)], { r: true, n: null }, []],
    [
      'a miss starts it anew',
      [active('r'), next('n', settled)],
      { r: true, n: false },
      ['n published pending'],
    ],
    [
      'both algorithms change together',
      [active('r'), active('ed'), next('n', settled), next('edn')],
      { r: true, ed: true, n: true, edn: false },
      ['r active retiring', 'ed active retiring', 'n published active !'],
    ],
    [
      'a new Ed25519 key that was seen later is waited for',
      [active('r'), active('ed'), next('n', settled), next('edn', settling)],
      { r: true, ed: true, n: true, edn: true },
      [],
    ],
    [
      'but not when nothing that signs can be relied on',
      [active('r'), active('ed'), next('n', settled), next('edn', settling)],
      { r: false, ed: true, n: true, edn: true },
      ['r active retiring', 'ed active retiring', 'n published active !'],
    ],
    [
      'the new Ed25519 key may be first',
      [active('r'), active('ed'), next('n'), next('edn', settled)],
      { r: true, ed: true, n: false, edn: true },
      ['ed active retiring', 'edn published active'],
    ],
    [
      'a new Ed25519 key that signs is not replaced by the RSA key it came with',
      [active('r'), active('edn', { created_at: NOW - 2 * DAY }), next('n', settled)],
      { r: true, edn: true, n: true },
      ['r active retiring', 'n published active !'],
    ],
    [
      'a new Ed25519 key waits its time after the old one stopped',
      [active('n'), retiring('ed'), next('edn')],
      { edn: true },
      ['edn pending published'],
    ],
    [
      'an Ed25519 key with a successor need not come back',
      [active('r'), active('ed'), next('n'), next('edn')],
      { ed: false },
      ['ed active retiring'],
    ],
    [
      'the old record is gone and the new one there: no time is lost',
      [active('r'), next('n')],
      { r: false, n: true },
      ['r active retiring', 'n pending active !'],
    ],
    [
      'nor after an emergency',
      [retiring('r', { revoke_at: NOW + 1 }), next('n')],
      { n: true },
      ['n pending active !'],
    ],
    [
      'but as long as others may remember the name otherwise',
      [
        retiring('r', { slot: 0, revoke_at: NOW + 1 }),
        dkimKey('o', { state: 'retired', slot: 1 }),
        next('n', { slot: 1 }),
      ],
      { n: true },
      ['n pending published'],
    ],
    [
      'and then',
      [
        dkimKey('r', { state: 'revoked', slot: 0, revoked_at: NOW, activated_at: 0 }),
        dkimKey('o', { state: 'retired', slot: 1 }),
        next('n', { slot: 1, state: 'published', published_at: NOW - 5 * MINUTE }),
      ],
      { n: true },
      ['n published active !'],
    ],
    [
      'a replaced key stays for mail on its way',
      [retiring('r', { retiring_at: NOW - 14 * DAY + 1 })],
      {},
      [],
    ],
    ['and is revoked', [retiring('r', { retiring_at: NOW - 14 * DAY })], {}, ['r retiring revoked']],
    ['at once when it is feared', [retiring('r', { revoke_at: NOW })], {}, ['r retiring revoked']],
    ['whatever DNS says of it', [retiring('r')], { r: false }, []],
    [
      'a revoked one is shown so for a while',
      [dkimKey('r', { state: 'revoked', revoked_at: NOW - 30 * DAY + 1 })],
      {},
      [],
    ],
    [
      'and is gone',
      [dkimKey('r', { state: 'revoked', revoked_at: NOW - 30 * DAY })],
      {},
      ['r revoked retired'],
    ],
    ['a retired one stays so', [dkimKey('r', { state: 'retired' })], { r: true }, []],
    [
      'another domain of the same owner is another matter',
      [active('old', { domain: 'old.example' }), next('n')],
      { old: true, n: true },
      ['n pending active'],
    ],
  ])('%s', (_name, keys, seen, expected) => {
    expect(brief(movesOf(keys, seen))).toEqual(expected);
  });
});

describe('the key that counts', () => {
  it.each<[string, LifecycleKey[], string | null, string | null]>([
    ['the first one, before it signs', [dkimKey('ed'), dkimKey('r')], 'r', null],
    ['the one that signs, while another waits', [active('r'), next('n')], 'r', 'n'],
    ['the one that waits, after an emergency', [retiring('r', { revoke_at: NOW }), next('n')], 'n', 'n'],
    ['none', [dkimKey('ed'), dkimKey('r', { state: 'retired' })], null, null],
  ])('%s', (_name, keys, main, rotating) => {
    expect(mainKey(keys)?.id ?? null).toBe(main);
    expect(rotatingKey(keys)?.id ?? null).toBe(rotating);
  });
});

/** The moves applied as the store does. */
function applied(keys: readonly LifecycleKey[], moves: readonly KeyMove[], now: number): LifecycleKey[] {
  return keys.map((key) => {
    const move = moves.find(({ keyId }) => keyId === key.id);
    if (!move) return key;
    const marks: Partial<LifecycleKey> =
      move.to === 'pending'
        ? { published_at: null, activated_at: null }
        : move.to === 'published'
          ? { published_at: now }
          : move.to === 'active'
            ? { published_at: key.published_at ?? now, activated_at: now }
            : move.to === 'retiring'
              ? { retiring_at: now }
              : move.to === 'revoked'
                ? { revoked_at: now }
                : {};
    return { ...key, state: move.to, ...marks };
  });
}

test('at any time and with any DNS, no two RSA keys sign, and none signs before it was seen or too soon', () => {
  const step = fc.record({
    afterMs: fc.constantFrom(0, MINUTE, 20 * MINUTE, HOUR, DAY, 15 * DAY, 40 * DAY),
    seen: fc.array(fc.constantFrom(true, true, true, false, null), { minLength: 4, maxLength: 4 }),
    rotates: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let keys: LifecycleKey[] = [dkimKey('r0'), dkimKey('ed0')];
      let now = 0;
      for (const [at, { afterMs, seen, rotates }] of steps.entries()) {
        now += afterMs;
        const waits = keys.some(({ state }) => state === 'pending' || state === 'published');
        if (rotates && !waits) {
          keys = [...keys, ...[`r${at + 1}`, `ed${at + 1}`].map((id) => dkimKey(id, { created_at: now }))];
        }
        const sightings: Seen = Object.fromEntries(keys.slice(-4).map(({ id }, i) => [id, seen[i] ?? null]));
        const before = keys;
        const moves = movesOf(keys, sightings, now);
        keys = applied(keys, moves, now);
        for (const move of moves) {
          const was = before.find(({ id }) => id === move.keyId);
          if (move.to !== 'active' || !was) continue;
          expect(sightings[move.keyId]).toBe(true);
          const rest = before.some(
            (key) =>
              key.id !== was.id &&
              key.algorithm === was.algorithm &&
              key.state === 'active' &&
              sightings[key.id] !== false,
          );
          if (rest) expect(now - (was.published_at ?? now)).toBeGreaterThanOrEqual(HOUR);
        }
        for (const algorithm of ['rsa-sha256', 'ed25519-sha256']) {
          const signing = keys.filter((key) => key.algorithm === algorithm && key.state === 'active');
          expect(signing.length).toBeLessThanOrEqual(1);
        }
        const rsaSigned = (all: readonly LifecycleKey[]): boolean =>
          all.some((key) => key.algorithm === 'rsa-sha256' && key.state === 'active');
        if (rsaSigned(before)) expect(rsaSigned(keys)).toBe(true);
        expect(movesOf(keys, {}, now)).toEqual([]);
      }
    }),
  );
});
