import { describe, expect, it } from 'vitest';

import { mergeVariables, splitName } from '../../src/templates/rendering/personalization.rules.js';

const contact = {
  email: 'ada@example.com',
  name: 'Ada King Lovelace',
  phone: '+44 1',
  metadata: { plan: 'gold' },
};
const unsubscribeUrl = 'https://mail.example/u/token';

describe('the value of a placeholder', () => {
  it('comes from a saved contact: fields, metadata, and first and last name split from the name', () => {
    expect({ ...mergeVariables({ explicit: {}, contact, unsubscribeUrl }) }).toEqual({
      email: 'ada@example.com',
      name: 'Ada King Lovelace',
      phone: '+44 1',
      plan: 'gold',
      first_name: 'Ada',
      last_name: 'King Lovelace',
      unsubscribe_url: unsubscribeUrl,
    });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]>([
    ['explicit beats the record', { name: 'X' }, {}, { name: 'X' }],
    ['explicit beats metadata', { plan: 'free' }, { plan: 'gold' }, { plan: 'free' }],
    ['explicit beats derived', { first_name: 'X' }, {}, { first_name: 'X' }],
    ['an explicit null still wins', { phone: null }, {}, { phone: null }],
    ['an explicit name does not change the derived ones', { name: 'X Y' }, {}, { first_name: 'Ada' }],
    ['metadata beats derived', {}, { first_name: 'Countess' }, { first_name: 'Countess' }],
    ['the record beats metadata', {}, { email: 'x@example.com' }, { email: 'ada@example.com' }],
    [
      'no unsubscribe_url in variables',
      { unsubscribe_url: 'https://evil' },
      {},
      { unsubscribe_url: unsubscribeUrl },
    ],
    [
      'no unsubscribe_url in metadata',
      {},
      { unsubscribe_url: 'https://evil' },
      { unsubscribe_url: unsubscribeUrl },
    ],
  ])('%s', (_what, explicit, metadata, expected) => {
    expect(mergeVariables({ explicit, contact: { ...contact, metadata }, unsubscribeUrl })).toMatchObject(
      expected,
    );
  });

  it('comes from metadata if the field is empty', () => {
    const sparse = { email: 'a@example.com', name: null, phone: null, metadata: { phone: '+1' } };
    const merged = mergeVariables({ explicit: {}, contact: sparse, unsubscribeUrl });
    expect({ ...merged }).toMatchObject({ phone: '+1', first_name: '', last_name: '' });
    expect('name' in merged).toBe(false);
  });

  it('comes only from explicit variables and the link without a saved contact', () => {
    const merged = mergeVariables({ explicit: { a: 1 }, contact: null, unsubscribeUrl });
    expect({ ...merged }).toEqual({ a: 1, unsubscribe_url: unsubscribeUrl });
  });

  it('is empty for the link if the message has none, even if it is given', () => {
    const merged = mergeVariables({
      explicit: { unsubscribe_url: 'https://evil' },
      contact: null,
      unsubscribeUrl: null,
    });
    expect(merged['unsubscribe_url']).toBe('');
  });

  it('comes from own keys only, without __proto__', () => {
    const explicit = JSON.parse('{"__proto__":{"polluted":1},"constructor":"mine"}') as Record<
      string,
      unknown
    >;
    const merged = mergeVariables({ explicit, contact: { ...contact, metadata: explicit }, unsubscribeUrl });
    expect(Object.keys(merged)).not.toContain('__proto__');
    expect(merged['constructor']).toBe('mine');
    expect(merged['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(merged)).toBeNull();
    expect(structuredClone(merged)).toMatchObject({ unsubscribe_url: unsubscribeUrl });
  });
});

it.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['  Ada   King\tLovelace ', 'Ada', 'King Lovelace'],
  ['Ada', 'Ada', ''],
  ['   ', '', ''],
  ['\u674e \u5c0f\u9f99', '\u674e', '\u5c0f\u9f99'],
])('splits %j', (name, first, last) => {
  expect(splitName(name)).toEqual({ first_name: first, last_name: last });
});
