// Tests how texts and search requests are split into words.
import { describe, expect, it } from 'vitest';
import { readSearch, wordsOf } from '../../src/database/engine/search-words.rules.js';

const word = (one: string, isPrefix = false) => ({ words: [one], isPrefix });

describe('the words of a text', () => {
  it.each([
    ['Grüße aus ZÜRICH', ['grusse', 'aus', 'zurich']],
    ['l’été, Ørsted & Łódź', ['l', 'ete', 'orsted', 'lodz']],
    ['ann.smith@example.com', ['ann', 'smith', 'example', 'com']],
    ['no. 4711/a_b', ['no', '4711', 'a', 'b']],
    ['ﬁne Ⅳ ½', ['fine', 'iv', '1', '2']],
    ['İstanbul', ['istanbul']],
    ['Σίσυφος', ['σισυφοσ']],
    ['東京都', ['東京', '京都', '都']],
    ['注文 42 です', ['注文', '文', '42', 'てす', 'す']],
    ['😀 \u0000 \uD800', []],
    ['x'.repeat(100), ['x'.repeat(40)]],
  ])('of %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe('a search', () => {
  it.each([
    ['Invoice zur', [word('invoice'), word('zur', true)]],
    ['invoice zu ', [word('invoice'), word('zu')]],
    ['"past due" now', [{ words: ['past', 'due'], isPrefix: false }, word('now', true)]],
    ['now "past due', [word('now'), { words: ['past', 'due'], isPrefix: false }]],
    ['ann@example.com', [{ words: ['ann', 'example', 'com'], isPrefix: true }]],
    ['京', [word('京', true)]],
    ['東京都 tower', [{ words: ['東京', '京都'], isPrefix: true }, word('tower', true)]],
    ['Σ', [word('σ')]],
    ['a OR b* NOT "c', [word('a'), word('or'), word('b'), word('not'), word('c')]],
    ['"" * - ( ) \\ \'', []],
  ])('for %j', (q, phrases) => {
    expect(readSearch(q)).toEqual(phrases);
  });
});
