import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHAIN_START,
  chainHash,
  detailDigest,
  verifyChain,
  type ChainEntry,
  type StoredChainEntry,
} from '../../src/events/chain.rules.js';

const EVENTS = ['queued', 'sending', 'sent', 'delivered', 'opened'];

function chain(length: number): StoredChainEntry[] {
  const entries: StoredChainEntry[] = [];
  let previous = CHAIN_START;
  for (let seq = 1; seq <= length; seq++) {
    const salt = Buffer.alloc(16, seq);
    const detail = seq % 3 === 0 ? null : JSON.stringify({ ip: `192.0.2.${seq}` });
    const entry: ChainEntry = {
      workspace_number: 7,
      seq,
      environment_id: 2,
      subject_id: 'msg_01hx',
      event: EVENTS[seq % EVENTS.length] ?? 'queued',
      actor: 'system',
      occurred_at: 1_700_000_000_000 + seq,
      detail_digest: detail === null ? null : detailDigest(salt, detail),
    };
    previous = chainHash(previous, entry);
    entries.push({ ...entry, salt: detail === null ? null : salt, detail, hash: previous });
  }
  return entries;
}

/** The chain with its entry at `index` changed. */
function changed(index: number, change: Partial<StoredChainEntry>): StoredChainEntry[] {
  return chain(8).map((entry, at) => (at === index ? { ...entry, ...change } : entry));
}

describe('the hash of an entry', () => {
  it('is SHA-256 over the previous hash and a JSON array that anyone can rebuild', () => {
    const [first] = chain(1);
    const text =
      '0'.repeat(64) +
      '[1,7,1,2,"msg_01hx","sending","system",1700000000001,"' +
      `${first?.detail_digest?.toString('hex') ?? ''}"]`;
    expect(first?.hash.toString('hex')).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('differs for any two different entries', () => {
    const entry = fc.record({
      workspace_number: fc.nat(3),
      seq: fc.nat(3),
      environment_id: fc.oneof(fc.nat(3), fc.constantFrom('1', '2')),
      subject_id: fc.string({ maxLength: 4 }),
      event: fc.string({ maxLength: 4 }),
      actor: fc.string({ maxLength: 4 }),
      occurred_at: fc.nat(3),
      detail_digest: fc.option(fc.constant(Buffer.alloc(32, 1))),
    });
    fc.assert(
      fc.property(entry, entry, (a, b) => {
        const same = chainHash(CHAIN_START, a).equals(chainHash(CHAIN_START, b));
        expect(same).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });

  it('requires a salt that cannot be guessed', () => {
    expect(() => detailDigest(Buffer.alloc(8), '{}')).toThrow(/16 bytes/);
  });
});

describe('a chain', () => {
  it('verifies, and returns its head', () => {
    const entries = chain(8);
    expect(verifyChain(entries)).toEqual({ ok: true, head: { seq: 8, hash: entries.at(-1)?.hash } });
    expect(verifyChain([])).toEqual({ ok: true, head: { seq: 0, hash: CHAIN_START } });
  });

  it('verifies after details and their salts were erased', () => {
    const erased = chain(8).map((entry) => ({ ...entry, detail: null, salt: null }));
    expect(verifyChain(erased).ok).toBe(true);
  });

  it('verifies page by page', () => {
    const entries = chain(8);
    const first = verifyChain(entries.slice(0, 5));
    expect(first.ok && verifyChain(entries.slice(5), first.head).ok).toBe(true);
    expect(verifyChain(entries.slice(5)).ok).toBe(false);
  });

  it.each<[string, StoredChainEntry[], number, RegExp]>([
    ['an event', changed(3, { event: 'delivered' }), 4, /entry was changed/],
    ['an actor', changed(3, { actor: 'provider' }), 4, /entry was changed/],
    ['a time', changed(3, { occurred_at: 1 }), 4, /entry was changed/],
    ['a subject', changed(3, { subject_id: 'msg_other' }), 4, /entry was changed/],
    ['an environment', changed(3, { environment_id: 1 }), 4, /entry was changed/],
    ['a hash', changed(3, { hash: Buffer.alloc(32) }), 4, /entry was changed/],
    ['a workspace', changed(3, { workspace_number: 8 }), 4, /another workspace/],
    ['a detail', changed(3, { detail: '{"ip":"other"}' }), 4, /detail was changed/],
    ['a salt', changed(3, { salt: Buffer.alloc(16) }), 4, /detail was changed/],
    ['a digest', changed(3, { detail_digest: null }), 4, /entry was changed/],
    ['a missing salt', changed(3, { salt: null }), 4, /salt/],
    ['an added detail', changed(2, { detail: '{}', salt: Buffer.alloc(16) }), 3, /added/],
    ['a deletion', chain(8).filter(({ seq }) => seq !== 4), 5, /entry 4 is missing/],
    ['a deletion of the first', chain(8).slice(1), 2, /entry 1 is missing/],
    ['a reversal', chain(8).reverse(), 8, /out of order/],
  ])('does not verify after a change of %s', (_name, entries, seq, reason) => {
    const verdict = verifyChain(entries);
    expect(verdict).toMatchObject({ ok: false, seq });
    expect(verdict.ok ? '' : verdict.reason).toMatch(reason);
  });

  it('reveals a rewritten entry even if its own hash was recomputed', () => {
    const entries = chain(8);
    const [first, second] = entries;
    if (!first || !second) throw new Error('the chain is too short');
    const forged = { ...second, event: 'bounced' };
    entries[1] = { ...forged, hash: chainHash(first.hash, forged) };
    expect(verifyChain(entries)).toMatchObject({ ok: false, seq: 3 });
  });
});
