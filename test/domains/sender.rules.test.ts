import { describe, expect, it } from 'vitest';
import { addressInDisplayName, senderCheck } from '../../src/domains/senders/sender.rules.js';

const verified = { sending_domain: 'acme.example', status: 'verified' };
const address = { kind: 'address', identity: 'owner@example.com' } as const;
const domain = { kind: 'domain', identity: 'example.org' } as const;
const refused = { isAllowed: false, code: 'sender_not_verified' };
const suspended = { isAllowed: false, code: 'tenant_suspended' };

describe('senderCheck', () => {
  it.each([
    ['on the tenant’s domain', 'a@acme.example', verified, [], { isAllowed: true, by: 'tenant' }],
    ['below the tenant’s domain', 'a@News.Acme.example', verified, [], { isAllowed: true, by: 'tenant' }],
    ['on a domain that only ends alike', 'a@notacme.example', verified, [], refused],
    ['above the tenant’s domain', 'a@example', verified, [], refused],
    [
      'on an unverified tenant’s domain',
      'a@acme.example',
      { ...verified, status: 'pending_verification' },
      [],
      refused,
    ],
    ['of a suspended tenant', 'a@acme.example', { ...verified, status: 'suspended' }, [], suspended],
    [
      'of a paused tenant, from a sender',
      'owner@example.com',
      { ...verified, status: 'paused' },
      [address],
      suspended,
    ],
    ['a verified address', 'Owner@Example.com', null, [address], { isAllowed: true, by: 'sender' }],
    ['another address of that domain', 'else@example.com', null, [address], refused],
    [
      'on a verified sender domain',
      'x@example.org',
      null,
      [address, domain],
      { isAllowed: true, by: 'sender' },
    ],
    [
      'a sender, for a verified tenant',
      'owner@example.com',
      verified,
      [address],
      { isAllowed: true, by: 'sender' },
    ],
    ['nothing verified', 'a@acme.example', null, [], refused],
    ['no address at all', 'acme.example', verified, [], refused],
  ])('%s', (_, fromEmail, tenant, senders, expected) => {
    expect(senderCheck({ mode: 'live', fromEmail, tenant, senders })).toEqual(expected);
  });

  it('in test mode considers a test pause, and not the domain', () => {
    const facts = { mode: 'test', fromEmail: 'a@acme.example', senders: [] } as const;
    expect(senderCheck({ ...facts, tenant: { ...verified, status: 'paused' } })).toEqual(suspended);
    expect(senderCheck({ ...facts, tenant: { ...verified, status: 'suspended' } }).isAllowed).toBe(true);
  });

  it('compares addresses by mailbox, not by spelling', () => {
    const senders = [{ kind: 'address', identity: 'a..b@shop.example' }] as const;
    const facts = { mode: 'live', tenant: null, senders } as const;
    expect(senderCheck({ ...facts, fromEmail: '"A..b"@shop.example' }).isAllowed).toBe(true);
    expect(senderCheck({ ...facts, fromEmail: '"a b"@shop.example' }).isAllowed).toBe(false);
  });

  it('accepts any well-formed address in test mode', () => {
    const facts = { mode: 'test', tenant: null, senders: [] } as const;
    expect(senderCheck({ ...facts, fromEmail: 'any@where.example' })).toEqual({
      isAllowed: true,
      by: 'sandbox',
    });
    for (const fromEmail of ['', 'x', '@x', 'x@', 'x y@z']) {
      expect(senderCheck({ ...facts, fromEmail }).isAllowed).toBe(false);
    }
  });
});

describe('the address in a display name', () => {
  it.each([
    ['Ann', null],
    [null, null],
    ['Shop @ Home, est. 1999', null],
    ['@ann on the web', null],
    ['ann@example.com', null],
    ['ANN@Example.com via Shop', null],
    ['ceo@bank.example', 'ceo@bank.example'],
    ['"CEO" <ceo@bank.example>', 'ceo@bank.example'],
    ['ceo＠bank.example', 'ceo@bank.example'],
    ['ceo\u200b@bank\u2060.example', 'ceo@bank.example'],
    ['=?utf-8?q?ceo=40bank.example?=', '=?utf-8?q?ceo=40bank.example?='],
  ])('%s: %s', (name, shown) => expect(addressInDisplayName({ email: 'ann@example.com', name })).toBe(shown));
});
