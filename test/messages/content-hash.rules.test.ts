import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/lib/json/index.js';
import { contentHash, requestFingerprint } from '../../src/messages/content-hash.rules.js';

const text = fc.string({ unit: 'grapheme' });
const party = fc.record({ email: text, name: fc.option(text) });
const content = fc.record({
  subject: text,
  from: party,
  to: party,
  html: fc.option(text),
  text: fc.option(text),
  attachments: fc.array(text),
});

describe('contentHash', () => {
  it("is the hash of the content's canonical JSON", () => {
    fc.assert(
      fc.property(content, (value) => {
        const expected = createHash('sha256').update(canonicalJson(value)).digest('hex');
        expect(contentHash(value)).toBe(`sha256:${expected}`);
      }),
    );
  });

  it('changes with every part', () => {
    const base = {
      subject: 's',
      from: { email: 'a@example.com', name: null },
      to: { email: 'b@example.com', name: null },
      html: null,
      text: 't',
      attachments: [],
    };
    const hashes = [
      base,
      { ...base, subject: 'S' },
      { ...base, from: { email: 'a@example.com', name: 'A' } },
      { ...base, to: { email: 'c@example.com', name: null } },
      { ...base, html: 't' },
      { ...base, text: null },
      { ...base, attachments: ['00'] },
    ].map((content) => contentHash(content));
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe('requestFingerprint', () => {
  it('treats a field at its default like an absent one', () => {
    const base = requestFingerprint({ to: 'a@example.com' });
    const defaults = { type: 'transactional', priority: 'normal', render: true, require_tls: false };
    const empty = {
      metadata: {},
      headers: {},
      subject: undefined,
    };
    expect(requestFingerprint({ to: 'a@example.com', ...defaults, ...empty })).toBe(base);
    for (const other of [{ type: 'sales' }, { render: false }, { metadata: { a: 1 } }, { tags: [''] }]) {
      expect(requestFingerprint({ to: 'a@example.com', ...other })).not.toBe(base);
    }
  });

  it('treats a list of one mailbox like that mailbox', () => {
    const base = requestFingerprint({ to: 'a@example.com', cc: { email: 'b@example.com' }, tags: ['x'] });
    const list = { to: ['a@example.com'], cc: [{ email: 'b@example.com' }], tags: ['x'] };
    expect(requestFingerprint(list)).toBe(base);
    expect(requestFingerprint({ ...list, to: ['a@example.com', 'c@example.com'] })).not.toBe(base);
    expect(requestFingerprint({ ...list, tags: 'x' })).not.toBe(base);
  });

  it('ignores the order of keys, the idempotency key, the sub-tenant and undefined fields', () => {
    const one = requestFingerprint({
      to: 'a@example.com',
      metadata: { x: 1, y: [1, 2] },
      idempotency_key: 'k',
      sub_tenant_id: 'tnt_1',
    });
    const two = requestFingerprint({
      metadata: { y: [1, 2], x: 1 },
      to: 'a@example.com',
      subject: undefined,
    });
    expect(one).toBe(two);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
  });

  it('differs if a value or the order of a list differs', () => {
    const base = requestFingerprint({ to: 'a@example.com', tags: ['x', 'y'] });
    expect(requestFingerprint({ to: 'b@example.com', tags: ['x', 'y'] })).not.toBe(base);
    expect(requestFingerprint({ to: 'a@example.com', tags: ['y', 'x'] })).not.toBe(base);
  });
});
