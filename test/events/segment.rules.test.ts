// Tests the text format of archive segments: reading returns what was written, and every modification is detected.
import { generateKeyPairSync } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { chainHash, CHAIN_START, type ChainEntry } from '../../src/events/chain.rules.js';
import {
  segmentBounds,
  isSegmentFile,
  readSegment,
  SEGMENT_ENTRIES,
  segmentFile,
  segmentNumber,
  segmentText,
} from '../../src/events/archive/segment.rules.js';
import { SIGNING_KEY } from '../support/archive-world.js';

const entry = (seq: number): ChainEntry => ({
  ...{ workspace_number: 3, seq, environment_id: 5, subject_id: `msg_${seq}`, event: 'opened' },
  ...{ actor: 'recipient', occurred_at: 1_700_000_000_000 + seq },
  detail_digest: seq % 2 === 0 ? Buffer.alloc(32, seq % 256) : null,
});
let last = CHAIN_START;
const entries = Array.from({ length: SEGMENT_ENTRIES }, (_, index) => {
  const one = entry(index + 1);
  last = chainHash(last, one);
  return { ...one, hash: last };
});
const of = { workspaceId: 'ws_1', previous: { seq: 0, hash: CHAIN_START }, key: SIGNING_KEY };
const { text, head } = segmentText(entries, of);
const problemOf = (changed: string, keys = [SIGNING_KEY]): string => {
  const read = readSegment(changed, keys);
  return 'problem' in read ? read.problem : 'none';
};

describe('a segment', () => {
  it('is read as written, with the hashes of the chain', () => {
    const read = readSegment(text, [SIGNING_KEY]);
    if ('problem' in read) throw new Error(read.problem);
    expect(read.head).toEqual(head);
    expect(isDeepStrictEqual(read.entries, entries)).toBe(true);
    expect(read.entries).toHaveLength(entries.length);
    let hash = CHAIN_START;
    for (const one of entries) hash = chainHash(hash, one);
    expect(read.entries.at(-1)?.hash.equals(hash)).toBe(true);
    expect(head).toMatchObject({ first_seq: 1, last_seq: SEGMENT_ENTRIES, last_hash: hash.toString('hex') });
  });

  it('contains no personal data, because lines have only the fields of the hash', () => {
    expect(Object.keys(JSON.parse(text.split('\n')[1] ?? '') as object)).toEqual([
      ...['seq', 'environment_id', 'subject_id', 'event', 'actor', 'occurred_at', 'detail_digest'],
    ]);
  });

  const lines = text.split('\n');
  const last = lines.at(-2) ?? '';
  const without = (index: number): string => lines.toSpliced(index, 1).join('\n');
  const withHead = (change: Record<string, unknown>): string => {
    const closing = JSON.parse(last) as { head: object; signature: string };
    return [
      ...lines.slice(0, -2),
      JSON.stringify({ ...closing, head: { ...closing.head, ...change } }),
      '',
    ].join('\n');
  };
  it.each([
    ['a changed entry', text.replace('"opened"', '"bounced"'), 'its entries were changed'],
    ['an entry less', without(7), 'its entries were changed'],
    ['another place', withHead({ first_seq: 2 }), 'its head was changed'],
    ['another workspace', withHead({ workspace_number: 4 }), 'its head was changed'],
    ['another key', withHead({ key_id: 'key_2' }), 'its head is signed by a key that is not known'],
    ['no head', without(lines.length - 2), 'it has no head'],
    ['a part of it', text.slice(0, text.length / 2), 'it has no head'],
    ['nothing', '', 'it has no head'],
    ['something else', '[1]\n{"head":{"object":"event_segment","format":1}}\n', 'it has no head'],
  ])('reveals %s', (_, changed, problem) => {
    expect(problemOf(changed)).toBe(problem);
  });

  it('cannot be created with another key of the same name', () => {
    const other = { ...SIGNING_KEY, ...generateKeyPairSync('ed25519') };
    expect(problemOf(text, [other])).toBe('its head was changed');
  });

  it.each([
    ['a gap', entries.toSpliced(5, 1, { ...entry(99), hash: CHAIN_START })],
    [
      'a changed entry',
      entries.with(99, { ...entry(100), occurred_at: 1, hash: entries[99]?.hash ?? CHAIN_START }),
    ],
    ['too few', entries.slice(1)],
    ['another stretch', entries.slice(0, -1)],
  ])('refuses to write %s', (_, wrong) => {
    expect(() => segmentText(wrong, of)).toThrow();
  });
});

it('segments are adjacent', () => {
  expect([1, SEGMENT_ENTRIES, SEGMENT_ENTRIES + 1].map(segmentNumber)).toEqual([0, 0, 1]);
  expect(segmentBounds(1)).toEqual({ first: SEGMENT_ENTRIES + 1, last: 2 * SEGMENT_ENTRIES });
});

it('names consist of position and content, and are not paths', () => {
  const name = segmentFile(head);
  expect(name).toBe(`events-3-00000000001-${head.last_hash.slice(0, 16)}.jsonl.gz`);
  expect(isSegmentFile(name)).toBe(true);
  expect(isSegmentFile(`../${name}`)).toBe(false);
});
