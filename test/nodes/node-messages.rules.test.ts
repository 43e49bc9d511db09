import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import {
  decodeNodeMessage,
  encodeNodeMessage,
  type NodeMessage,
} from '../../src/nodes/node-messages.rules.js';

const FROM = newId('nod', Date.UTC(2026, 0, 2));
/** PostgreSQL refuses more. */
const MOST_OCTETS = 8_000;

const MESSAGES: NodeMessage[] = [
  { kind: 'nodes' },
  { kind: 'queues', ids: [1, 2, 3] },
  { kind: 'queues', ids: null },
  { kind: 'events' },
  { kind: 'inbound' },
  { kind: 'traffic' },
  { kind: 'limit removed', id: 'ovr_1' },
  { kind: 'probe', domain: 'example.com' },
  { kind: 'credentials', id: 'key_1' },
  { kind: 'dkim' },
  { kind: 'reload' },
];

describe('a message between nodes', () => {
  it.each(MESSAGES)('arrives unchanged: $kind', (message) => {
    expect(decodeNodeMessage(encodeNodeMessage(FROM, message))).toEqual({ from: FROM, message });
  });

  it('lists queues up to a limit, and otherwise reports that there are many', () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => i);
    const arrives = (count: number) =>
      decodeNodeMessage(encodeNodeMessage(FROM, { kind: 'queues', ids: ids(count) }))?.message;
    expect(arrives(0)).toEqual({ kind: 'queues', ids: [] });
    expect(arrives(400)).toEqual({ kind: 'queues', ids: ids(400) });
    expect(arrives(401)).toEqual({ kind: 'queues', ids: null });
    expect(arrives(100_000)).toEqual({ kind: 'queues', ids: null });
  });

  it('is never longer than PostgreSQL allows', () => {
    const some: fc.Arbitrary<NodeMessage> = fc.oneof(
      fc.record({
        kind: fc.constant('queues' as const),
        ids: fc.array(fc.integer({ min: Number.MAX_SAFE_INTEGER - 9, max: Number.MAX_SAFE_INTEGER }), {
          minLength: 380,
          maxLength: 420,
        }),
      }),
      // The longest domain, and ids as they are given.
      fc.record({ kind: fc.constant('probe' as const), domain: fc.string({ maxLength: 253 }) }),
      fc.record({ kind: fc.constant('credentials' as const), id: fc.string({ maxLength: 64 }) }),
    );
    fc.assert(
      fc.property(some, (message) => {
        expect(Buffer.byteLength(encodeNodeMessage(FROM, message))).toBeLessThan(MOST_OCTETS);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    '',
    'null',
    '7',
    '"nodes"',
    '[]',
    '{}',
    '{"from":"nod_1"}',
    '{"kind":"nodes"}',
    '{"from":7,"kind":"nodes"}',
    '{"from":"nod_1","kind":"from another release"}',
    '{"from":"nod_1","kind":["nodes"]}',
    '{"from":"nod_1","kind":"nodes"',
  ])('with invalid text is ignored: %s', (payload) => {
    expect(decodeNodeMessage(payload)).toBeNull();
  });

  it('is parsed from any text without an error', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void decodeNodeMessage(text)));
  });
});
