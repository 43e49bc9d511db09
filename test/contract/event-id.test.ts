import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventId, eventPlaceOf } from '../../src/contract/event-id.js';

describe('ids of events', () => {
  it('say when and where, whatever these are', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 2 ** 48 - 1 }),
        fc.nat({ max: Number.MAX_SAFE_INTEGER }),
        (occurredAt, position) => {
          const id = eventId({ occurredAt, position });
          expect(id).toMatch(/^evt_[0-9a-z]{26}$/);
          expect(eventPlaceOf(id)).toEqual({ occurredAt, position });
        },
      ),
    );
  });

  it('sort by time, then by place', () => {
    const ids = [
      eventId({ occurredAt: 1, position: 9 }),
      eventId({ occurredAt: 2, position: 3 }),
      eventId({ occurredAt: 2, position: 40 }),
    ];
    expect([...ids].sort()).toEqual(ids);
  });

  it.each([
    '',
    'evt_',
    'msg_00000000000000000000000000',
    'evt_0000000000zzzzzzzzzzzzzzzz',
    'evt_u'.padEnd(30, '0'),
  ])('%j is none', (id) => {
    expect(eventPlaceOf(id)).toBeNull();
  });

  it('are never made of other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const place = eventPlaceOf(text);
        if (place) expect(eventId(place)).toBe(text);
      }),
    );
  });
});
