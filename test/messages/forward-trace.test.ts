// Tests the trace of a forwarded message: what stops it, and that hostile names cannot break its fields.
import { describe, expect, it } from 'vitest';
import { type MailAuthentication, unauthenticated } from '../../src/lib/authentication/index.js';
import {
  authenticationResults,
  chainOf,
  receivedField,
  refusalToForward,
} from '../../src/messages/inboxes/forward-trace.js';

const INBOX = 'help@reply.shop.example';
const CHECKED: MailAuthentication = {
  ...unauthenticated('permerror'),
  spf: { result: 'none', domain: null },
  dmarc: { result: 'none', policy: null, domain: null },
  arc: { result: 'none' },
};
const arrived = (more: Partial<Parameters<typeof refusalToForward>[0]> = {}) =>
  refusalToForward({ fields: [], hasFrom: true, authentication: CHECKED, address: INBOX, ...more });
const dmarc = (result: 'pass' | 'fail' | 'temperror' | 'permerror', policy: string | null) => ({
  authentication: { ...CHECKED, dmarc: { result, policy, domain: 'author.example' } },
});
const received = (count: number) => Array.from({ length: count }, () => ({ name: 'received', value: 'x' }));

describe('refusalToForward', () => {
  it.each([
    ['ordinary mail', arrived(), null],
    ['mail that was not checked', arrived({ authentication: null }), null],
    [
      'a message that passed the inbox',
      arrived({ fields: [{ name: 'delivered-to', value: ` ${INBOX.toUpperCase()}` }] }),
      'loop',
    ],
    [
      'a message that passed another inbox',
      arrived({ fields: [{ name: 'delivered-to', value: 'b@x.example' }] }),
      null,
    ],
    ['24 hops', arrived({ fields: received(24) }), null],
    ['25 hops', arrived({ fields: received(25) }), 'loop'],
    ['DMARC fail, reject', arrived(dmarc('fail', 'reject')), 'dmarc'],
    ['DMARC fail, quarantine', arrived(dmarc('fail', 'quarantine')), null],
    ['DMARC unknown, reject', arrived(dmarc('temperror', 'reject')), null],
    ['a From that cannot be checked', arrived(dmarc('permerror', null)), 'malformed'],
    ['no From', arrived({ hasFrom: false }), 'malformed'],
  ])('of %s', (_what, found, expected) => {
    expect(found).toBe(expected);
  });
});

describe('fields of a forwarded message', () => {
  it('name the client, however it calls itself', () => {
    const at = Date.UTC(2026, 10, 27, 10);
    const client = { address: '2001:db8::1', helo: 'a\r\nX-Evil: (1);<x>', tls: 'TLSv1.3' };
    expect(receivedField({ client, hostname: 'mx.post.example', address: INBOX, at })).toBe(
      `from aX-Evil:1x ([IPv6:2001:db8::1]) by mx.post.example with ESMTPS for <${INBOX}>; Fri, 27 Nov 2026 10:00:00 +0000`,
    );
  });

  it('have the results, which names of signatures cannot extend', () => {
    const dkim = [
      { result: 'pass', domain: 'a.example; spf=pass', selector: 's"1', aligned: false },
    ] as const;
    const authentication = { ...CHECKED, dkim, fromDomain: 'a.example' };
    expect(
      authenticationResults(authentication, { hostname: 'mx.post.example', mailFrom: 'x@a.example' }),
    ).toBe(
      'mx.post.example; spf=none; dkim=pass header.d=a.examplespf=pass header.s=s1; dmarc=none header.from=a.example; arc=none',
    );
    expect(authenticationResults(null, { hostname: 'mx.post.example', mailFrom: '' })).toBe(
      'mx.post.example; none',
    );
  });

  it('continue a chain that passed, and begin one without a chain', () => {
    const chain = (result: 'pass' | 'fail' | 'temperror' | 'none') =>
      chainOf({ ...CHECKED, arc: { result } });
    expect([chain('none'), chain('pass'), chain('fail'), chain('temperror'), chainOf(null)]).toEqual([
      ...['none', 'pass', null, null, null],
    ]);
  });
});
