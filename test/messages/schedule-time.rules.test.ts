import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSendAt } from '../../src/messages/accept/schedule-time.rules.js';

const now = Date.UTC(2026, 1, 10, 12);

describe('parseSendAt', () => {
  it.each([
    ['2026-02-10T13:00:00Z', Date.UTC(2026, 1, 10, 13)],
    ['2026-02-10T13:00:00.250Z', Date.UTC(2026, 1, 10, 13, 0, 0, 250)],
    ['2026-02-10T13:00:00.2Z', Date.UTC(2026, 1, 10, 13, 0, 0, 200)],
    ['2026-02-10t15:30:00+02:30', Date.UTC(2026, 1, 10, 13)],
    ['2026-02-10T08:00:00-0500', Date.UTC(2026, 1, 10, 13)],
    ['2026-02-10 14:00+01', Date.UTC(2026, 1, 10, 13)],
    ['2026-02-10T12:00:00Z', null],
    ['2026-02-10T11:55:00Z', null],
    ['2027-02-10T12:00:00Z', Date.UTC(2027, 1, 10, 12)],
  ])('%s', (text, at) => {
    expect(parseSendAt(text, now)).toEqual({ ok: true, at });
  });

  it.each([
    ['tomorrow', /date and time/],
    ['2026-02-11', /date and time/],
    ['1770811200', /date and time/],
    ['2026-02-11T10:00:00', /offset is missing/],
    ['2026-02-11T10:00:00 CET', /offset must be/],
    ['2026-02-11T10:00:00+25:00', /offset must be/],
    ['2026-13-11T10:00:00Z', /month/],
    ['2026-02-30T10:00:00Z', /day must be 01 to 28/],
    ['2026-02-11T24:00:00Z', /hour/],
    ['2026-02-11T10:60:00Z', /minute/],
    ['2026-02-11T10:00:61Z', /second/],
    ['2026-02-10T11:54:59Z', /past/],
    ['2027-03-01T00:00:00Z', /year ahead/],
  ])('%s is refused with an explanation', (text, message) => {
    const result = parseSendAt(text, now);
    expect(result.ok ? '' : result.message).toMatch(message);
  });

  it('parses every time that it returns', () => {
    fc.assert(
      fc.property(fc.integer({ min: now + 1, max: now + 360 * 86_400_000 }), (at) => {
        expect(parseSendAt(new Date(at).toISOString(), now)).toEqual({ ok: true, at });
      }),
    );
  });
});
