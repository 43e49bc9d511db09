import { expect, test } from 'vitest';
import { requestExcerpt } from '../../src/accounts/request-log/request-excerpt.rules.js';

const told = (given: unknown, schema = {}): unknown => JSON.parse(requestExcerpt(given, schema) ?? 'null');

test('shows ids, times, numbers and enum values, but no free text', () => {
  const id = 'tpl_01kdyak3se4w5amvgkazjzkvb7';
  const body = {
    ...{
      template_id: id,
      send_at: '2026-03-01T09:00:00Z',
      type: 'marketing',
      name: 'Ann',
      limit: 5,
      on: true,
    },
    ...{ to: ['Ann <ann@Shop.example>', 'bob@shop.example'], html: '<p>Hello Ann</p>', cc: null },
  };
  expect(told(body, { properties: { type: { enum: ['marketing'] } } })).toEqual({
    ...{ template_id: id, send_at: '2026-03-01T09:00:00Z', type: 'marketing', name: '[3 characters]' },
    ...{
      limit: 5,
      on: true,
      to: ['***@shop.example', '***@shop.example'],
      html: '[16 characters]',
      cc: null,
    },
  });
});

test('never shows secrets or custom field names', () => {
  const body = {
    ...{ password: 'x', code: 123456, totp_code: 5, api_token: null, client_secret: { a: 1 } },
    ...{ variables: { ann: 1, bob: 2 }, metadata: { x: 'y' }, 'ann@shop.example': 1 },
  };
  expect(told(body)).toEqual({
    ...{ password: '[redacted]', code: '[redacted]', totp_code: '[redacted]', api_token: '[redacted]' },
    ...{ client_secret: '[redacted]', variables: '[2 fields]', metadata: '[1 fields]', '…': '…' },
  });
});

test('has a bounded size for any input', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => ({ to: `a${i}@shop.example` }));
  expect(told({ messages: many })).toEqual({
    messages: [...Array.from({ length: 5 }, () => ({ to: '***@shop.example' })), '… 9995 more'],
  });
  let deep: unknown = 1;
  for (let i = 0; i < 90; i++) deep = { deep };
  expect(JSON.stringify(told(deep)).length).toBeLessThan(100);
  const wide = Object.fromEntries(
    Array.from({ length: 1000 }, (_, i) => [`f${'x'.repeat(60)}${i % 10}${i}`, many]),
  );
  expect(requestExcerpt(wide, {})?.length).toBeLessThanOrEqual(4096);
});

test('an excerpt of nothing is null', () => {
  expect(requestExcerpt(undefined, {})).toBeNull();
  expect(requestExcerpt({}, {})).toBeNull();
});
