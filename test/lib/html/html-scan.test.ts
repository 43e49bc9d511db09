// Compares tokens with parse5, the tokenizer of the specification's own tests.
import fc from 'fast-check';
import { Tokenizer, TokenizerMode, type Token } from 'parse5';
import { describe, expect, it } from 'vitest';
import { scanHtml } from '../../../src/lib/html/html-scan.js';
import { runs, sized } from '../../support/run-size.js';

const MODES: Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]> = {
  script: TokenizerMode.SCRIPT_DATA,
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  ...Object.fromEntries(
    ['style', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [name, TokenizerMode.RAWTEXT]),
  ),
};

/** Start and end tags with their positions. */
function tagsOfParse5(source: string): string[] {
  const tags: string[] = [];
  const note = (kind: string, { tagName, location }: Token.TagToken): void => {
    tags.push(`${kind} ${tagName} ${location?.startOffset}-${location?.endOffset}`);
  };
  const nothing = (): void => undefined;
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
      onCharacter: nothing,
      onNullCharacter: nothing,
      onWhitespaceCharacter: nothing,
      onStartTag(token) {
        note('start', token);
        const mode = MODES[token.tagName];
        if (mode === undefined) return;
        tokenizer.lastStartTagName = token.tagName;
        tokenizer.state = mode;
      },
      onEndTag: (token) => note('end', token),
    },
  );
  tokenizer.write(source, true);
  return tags;
}

function tagsOfOurs(source: string): string[] {
  return scanHtml(source).flatMap(({ kind, name, start, end }) => {
    if (kind === 'open' || kind === 'void') return [`start ${name} ${start}-${end}`];
    return kind === 'close' ? [`end ${name} ${start}-${end}`] : [];
  });
}

describe('HTML tags', () => {
  it.each([
    ['a quoted bracket in an end tag', '<b>x</b y="z>">w'],
    ['an empty comment', 'a<!-->b<i>--><!--->c<i>-->'],
    ['a comment that ends wrongly', '<!--a--!><b>-->'],
    ['an equals sign without a name', '<a ="x>y"><b>'],
    ['a quote inside a bare value', '<a href=x="y>z"><b>'],
    ['a slash between name and equals sign', '<a b/="c>d"><i>'],
    ['an end tag of another name in a script', '<script>"</scripty>"</script ><b>'],
    ['raw text of every kind', '<xmp><a></xmp><iframe><a></iframe><noframes><a></noframes><b>'],
    ['no tag', 'a < b <3 </3> x'],
  ])('%s', (_name, source) => {
    expect(tagsOfOurs(source)).toEqual(tagsOfParse5(source));
  });

  it('match those of browsers for any markup', () => {
    const piece = fc.constantFrom(
      ...[
        '<',
        '>',
        '/',
        '=',
        '"',
        "'",
        ' ',
        '!',
        '-',
        '--',
        '?',
        'a',
        'b',
        'x',
        '<a ',
        '</a',
        '<!--',
        '-->',
        '&lt;',
      ],
      ...['<style>', '</style', '<textarea>', '</textarea>', '<br/>', 'href="', "id='", '\n'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const source = pieces.join('');
        expect(tagsOfOurs(source)).toEqual(tagsOfParse5(source));
      }),
      runs(3000),
    );
  });

  it.each([
    ['brackets', '<'],
    ['tags that do not end', '<a '],
    ['quotes that do not end', '<a href="'],
    ['nested elements', '<div>'],
    ['end tags', '</'],
    ['comments', '<!--'],
    ['scripts', '<script></scrip'],
    ['attributes', '<a a='],
    ['references', '&amp'],
  ])('are found in bounded time in many %s', (_name, piece) => {
    const characters = sized({ small: 350_000, full: 1_048_576 });
    const source = piece.repeat(Math.ceil(characters / piece.length));
    const before = performance.now();
    const tokens = scanHtml(source);
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(tokens.at(-1)?.end).toBe(source.length);
  });
});
