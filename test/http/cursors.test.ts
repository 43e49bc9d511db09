// Tests that cursors and event IDs reveal nothing, and for whom they are valid.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCursors } from '../../src/http/lists/cursors.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const cursors = createCursors(Buffer.alloc(32, 1));

describe('a cursor', () => {
  it('leads to its position, and has at most 200 characters', () => {
    fc.assert(
      fc.property(fc.string(), fc.stringMatching(/^[ -~]{1,128}$/), (binding, place) => {
        const cursor = cursors.seal(binding, place);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]{40,200}$/);
        expect(cursors.open(binding, cursor)).toBe(place);
        expect(cursors.open(`${binding} `, cursor)).toBeNull();
      }),
    );
  });

  it('does not reveal the size of a row number', () => {
    const lengths = ['1', '12345678', '9007199254740991'].map((place) => cursors.seal('list', place).length);
    expect(new Set(lengths).size).toBe(1);
  });

  it('can be read by another process with the same key, and by none with another', () => {
    const cursor = cursors.seal('list', '7');
    expect(createCursors(Buffer.alloc(32, 1)).open('list', cursor)).toBe('7');
    expect(createCursors(Buffer.alloc(32, 2)).open('list', cursor)).toBeNull();
  });

  it('is refused after a change of a single bit', () => {
    const octets = Buffer.from(cursors.seal('list', '4711'), 'base64url');
    for (let bit = 0; bit < octets.length * 8; bit += 1) {
      const damaged = Buffer.from(octets);
      damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(cursors.open('list', damaged.toString('base64url'))).toBeNull();
    }
  });

  it('has only one form', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(cursors.open('list', text)).toBeNull();
      }),
    );
  });
});

describe('the id of an event', () => {
  const place = fc.record({
    occurredAt: fc.nat({ max: 2 ** 48 - 1 }),
    position: fc.nat({ max: 2 ** 36 - 1 }).map((seq) => 3 * 2 ** 36 + seq),
  });

  it('reveals time and position to Mailkeel, for its workspace only', () => {
    fc.assert(
      fc.property(place, (at) => {
        const id = cursors.eventId(3, at);
        expect(id).toMatch(/^evt_[0-9a-z]{26}$/);
        expect(cursors.eventId(3, at)).toBe(id);
        expect(cursors.eventPlace(3, id)).toEqual({ ...at, lostAfter: null });
        expect(cursors.eventPlace(4, id)).toBeNull();
      }),
    );
  });

  it('sorts by time', () => {
    const ids = [1, 2, 4_000_000_000_000].map((occurredAt) =>
      cursors.eventId(0, { occurredAt, position: 9 }),
    );
    expect([...ids].sort()).toEqual(ids);
  });

  it('does not reveal the length of the chain', () => {
    const tails = [1, 2, 3].map((position) => cursors.eventId(0, { occurredAt: 5, position }).slice(14));
    expect(tails.filter((tail) => tail.startsWith('0000'))).toEqual([]);
  });

  it.each(['', 'evt_', `msg_${'0'.repeat(26)}`, 'evt_0000000000000000000000000a', 'evt_u'.padEnd(30, '0')])(
    '%j is invalid',
    (id) => {
      expect(cursors.eventPlace(0, id)).toBeNull();
    },
  );
});

describe('a list', () => {
  let api: StartedApi;
  let cursor = '';

  beforeAll(async () => {
    api = await startApi();
    for (const name of ['first', 'second']) {
      for (const key of [api.liveKey, api.testKey]) {
        const body = { email: `${name}@example.com` };
        expect((await api.ask('POST', '/v1/contacts', { key, body })).status).toBe(201);
      }
    }
    cursor = String((await api.ask('GET', '/v1/contacts?limit=1')).json.next_cursor);
  });
  afterAll(() => api.close());

  it('continues at its cursor', async () => {
    const rest = await api.ask('GET', `/v1/contacts?limit=1&cursor=${cursor}`);
    expect(rest.json).toMatchObject({ data: [{ email: 'first@example.com' }], next_cursor: null });
  });

  it('refuses the cursor of another environment or list, and a row number', async () => {
    const number = Buffer.from('1').toString('base64url');
    const refused = await Promise.all([
      api.ask('GET', `/v1/contacts?cursor=${cursor}`, { key: api.testKey }),
      api.ask('GET', `/v1/suppressions?cursor=${cursor}`),
      api.ask('GET', `/v1/contacts?cursor=${number}`),
      api.ask('GET', `/v1/contacts?cursor=${cursor}A`),
    ]);
    for (const { status, json } of refused) {
      expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_cursor', 'cursor']);
    }
  });
});
