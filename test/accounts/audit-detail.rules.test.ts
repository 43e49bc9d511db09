import { describe, expect, it } from 'vitest';
import {
  auditDetail,
  auditPathParams,
  auditTarget,
  type FieldSchema,
} from '../../src/accounts/audit/audit-detail.rules.js';

const ID = 'tnt_01jz0000000000000000000000';
const schema: FieldSchema = {
  properties: {
    permission: { enum: ['full', 'send', 'read'] },
    mode: { anyOf: [{ enum: ['live', 'test'] }, { const: null }] },
    events: { items: { enum: ['message.sent', 'message.bounced'] } },
    pin: { writeOnly: true },
  },
};
const of = (body: object, shows?: readonly string[]) => auditDetail(body, schema, shows).values;

describe('the detail of a request', () => {
  it('names all fields', () => {
    expect(auditDetail({ b: 'x', a: {}, c: undefined }, undefined).fields).toEqual(['a', 'b']);
  });

  it.each([
    ['numbers and truth values', { throttle_per_hour: 60, track_opens: false, retention_days: null }],
    ['ids', { sub_tenant_id: ID, list_id: 'lst_01jz0000000000000000000000' }],
    ['times', { expires_at: '2027-01-01T00:00:00Z', since: '2027-01-01' }],
    [
      'words of the schema',
      { permission: 'send', mode: 'live', events: ['message.sent', 'message.bounced'] },
    ],
    ['names that are public', { sending_domain: 'shop.example', slug: 'welcome' }],
  ])('contains %s', (_, body) => {
    expect(of(body)).toEqual(body);
  });

  it.each([
    ['texts', { name: 'Ann', description: 'Call Ann' }],
    [
      'words that are not of the schema',
      { permission: 'ann@example.com', events: ['message.sent', 'other'] },
    ],
    ['content', { subject: ID, html: ID, text: ID, headers: ID, body: ID, content: ID }],
    ['whom it is about', { email: ID, to: ID, from: ID, reply_to: ID, phone: 1, recipients: [1] }],
    [
      'secrets',
      { secret: ID, password: ID, api_token: ID, code: 123456, totp: 123456, recovery_code: ID, pin: 1 },
    ],
    ['free data', { metadata: { a: 1 }, variables: { a: 1 }, steps: [{ wait: 1 }], nested: { id: ID } }],
    ['long lists', { numbers: Array.from({ length: 21 }, () => 1) }],
  ])('omits %s', (_, body) => {
    expect(of(body)).toEqual({});
    expect(auditDetail(body, schema).fields).toEqual(Object.keys(body).sort());
  });

  it('contains truncated texts that the route declares, but never secrets of the schema', () => {
    expect(
      of({ name: 'x'.repeat(300), pin: 'p', allowed_ips: ['192.0.2.1'] }, ['name', 'pin', 'allowed_ips']),
    ).toEqual({
      name: 'x'.repeat(200),
      allowed_ips: ['192.0.2.1'],
    });
  });

  it('is bounded', () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`.padEnd(200, 'x'), i]));
    const { fields, values } = auditDetail(body, undefined);
    expect([fields.length, Math.max(...fields.map((field) => field.length)), values]).toEqual([50, 64, {}]);
  });
});

describe('a path in the detail', () => {
  it.each([
    [ID, ID],
    ['welcome-mail', 'welcome-mail'],
    ['shop.example', 'shop.example'],
    ['ann@example.com', null],
    ['a b', null],
    ['x'.repeat(101), null],
    ['', null],
  ])('records %j as %j', (text, told) => {
    expect(auditTarget(text)).toBe(told);
  });

  it('omits addresses and tokens', () => {
    expect(
      auditPathParams({ id: ID, domain: 'a.example', email: 'ann', token: 'abc', version: '3' }),
    ).toEqual({
      domain: 'a.example',
      version: '3',
    });
  });
});
