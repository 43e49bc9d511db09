// Tests the language of pages for recipients.
import { expect, it } from 'vitest';
import { pageLanguage } from '../../src/pages/page-language.rules.js';

it.each([
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en-GB,en;q=0.9,de;q=0.8', 'en'],
  ['en;q=0.5, DE-ch;q=0.9', 'de'],
  ['fr-FR,fr;q=0.9,de;q=0.4,en;q=0.3', 'fr'],
  ['de;q=0, sv', 'en'],
  ['sv', 'en'],
  ['pt-PT', 'pt-BR'],
  ['nl-BE', 'nl'],
  ['*', 'en'],
  ['', 'en'],
  [undefined, 'en'],
  [`${'x,'.repeat(10_000)}de`, 'en'],
])('%j uses %s', (header, language) => {
  expect(pageLanguage(null, header)).toBe(language);
});

it("uses the sender's language, whatever the browser requests", () => {
  expect(pageLanguage('de', 'en')).toBe('de');
  expect(pageLanguage('en', 'de')).toBe('en');
});
