import { describe, expect, it } from 'vitest';
import { createQuotes } from '../../../src/lib/json/quoted-text.js';

describe('quotes of one request', () => {
  it('are written like JSON, short and long, repeatedly', () => {
    const quote = createQuotes();
    const texts = ['', 'a"b', '\u2028\n'.repeat(800), 'é\\'.repeat(2_000), '\ud800'.repeat(1_500)];
    for (const text of [...texts, ...texts]) expect(quote(text)).toBe(JSON.stringify(text));
  });
});
