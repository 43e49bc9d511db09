// Tests which addresses a From field suggests.
import { expect, it } from 'vitest';
import { suggestions } from '../src/data/sender-suggestions.js';

const SENDERS = [
  { kind: 'domain', domain: 'acme.example', email: null, status: 'verified' },
  { kind: 'domain', domain: 'pending.example', email: null, status: 'pending_verification' },
  { kind: 'address', domain: 'fern.example', email: 'news@fern.example', status: 'verified' },
] as const;

it.each([
  ['', ['news@fern.example']],
  ['ann', ['ann@acme.example']],
  ['ann@f', ['ann@acme.example']],
  ['ne', ['ne@acme.example', 'news@fern.example']],
  ['Ann <ann@', ['Ann <ann@acme.example>']],
  ['not an address', []],
])('suggests for %j: %j', (typed, expected) => {
  expect(suggestions(SENDERS, typed)).toEqual(expected);
});
