import { expect, it } from 'vitest';
import { normalizedPassword, passwordProblem } from '../../src/accounts/people/password.rules.js';

const EMAIL = 'ann.smith@example.com';

it.each([
  ['a word too few', 'elevenchars', 'must be at least 12 characters long'],
  ['eleven characters in many code units', '🙂'.repeat(11), 'must be at least 12 characters long'],
  ['one key', 'aaaaaaaaaaaaaaaa', 'must contain at least 5 different characters'],
  ['a novel', 'abcde '.repeat(34), 'must be at most 200 characters long'],
  ['the address', 'Ann.Smith@Example.com', 'must not be the email address'],
  ['the address, twice', 'ann.smithann.smith', 'must not be the email address'],
  ['a common one', 'Password1234', 'is a commonly used password'],
  ['a common one with blanks', 'correct horse battery staple', 'is a commonly used password'],
  ['twelve characters', 'mn4-krow-9xz', null],
  ['words', 'the lamp is on the left side', null],
  ['two hundred', 'abcde'.repeat(40), null],
  ['other scripts', 'зелёный чайник', null],
])('%s', (_name, password, problem) => {
  expect(passwordProblem(password, EMAIL)).toBe(problem);
});

it('treats two Unicode spellings of a password as equal', () => {
  expect(normalizedPassword('caf\u0065\u0301 au lait')).toBe(normalizedPassword('caf\u00e9 au lait'));
});
