import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createHtmlBodies } from '../../src/templates/rendering/html-bodies.rules.js';
import { createTemplates } from '../../src/lib/templating/index.js';
import { sized } from '../support/run-size.js';

const templates = createTemplates();
const bodiesOf = createHtmlBodies({ cacheChars: 1_000_000 });

function both(
  source: string,
  variables: Record<string, unknown>,
  wanted = { inlineCss: true, isTextDerived: true },
) {
  const rendered = templates.render(source, 'html', variables);
  if (rendered.kind === 'problem') throw new Error(rendered.problem.message);
  const { output, filling } = rendered;
  return {
    kept: bodiesOf(output, wanted, { filling, key: null }),
    made: bodiesOf(output, wanted, { filling: null, key: null }),
  };
}

const piece = fc.constantFrom(
  ...[
    '{{a}}',
    '{{b}}',
    '{{c}}',
    '{{a}} {{b}}',
    '<p>',
    '</p>',
    ' ',
    '\n',
    'word',
    '&amp;',
    '&',
    '<br>',
    '<b>{{a}}</b>',
  ],
  ...[
    '<a href="{{a}}">',
    '<a href="https://x.example/{{b}}">',
    "<a href='{{c}}'>",
    '<a href="https://x.example/{{b}}?n={{a}}">',
    '<a href="https://x.example/{{b}}?n=1&amp;m={{a}}">',
    '<a href="mailto:{{a}}">',
    '<a href="#{{b}}">',
    'https://x.example/{{b}}',
    '<a href={{a}}>',
    '</a>',
    '[',
    ']',
  ],
  ...[
    '<img alt="{{a}}">',
    '<p class="{{a}}">',
    '<p class="k" title="x {{b}}">',
    '<p hidden>',
    '<style>.k{display:none}</style>',
    '<b style="display:none">',
    '\u200c\u00a0',
    '<td>',
    '<table><tr><td>',
    '</table>',
  ],
  ...[
    '<!-- {{a}} -->',
    '<title>{{a}}</title>',
    '<style>p{color:red}.k{margin:0}</style>',
    '<style>.{{a}}{color:red}</style>',
  ],
  ...[
    '<style>p[title]{color:red}</style>',
    '<style>p:empty{top:0}</style>',
    '<pre>',
    '<ul><li>',
    '<h1>',
    '<{{a}}>',
    '<p {{b}}>',
  ],
  ...['https://x.example/1', '#top', '</style>', '"', "'", '<', '>'],
);
const value = fc.constantFrom(
  ...[
    'Ada',
    'Ada Lovelace',
    '',
    ' ',
    'a  b',
    'k',
    'p',
    'https://x.example/1',
    '1',
    '#top',
    'mailto:a@x.example',
    'lt;',
  ],
  ...[
    '<b>',
    '"',
    "'x'",
    'a\nb',
    '&amp;',
    '$&',
    '\u00a0',
    'x\u200by',
    'Zo\u00eb & Co',
    ']',
    '[',
    'a=b',
    '-->',
    '</style>',
  ],
);

describe('the bodies of a filled template', () => {
  it('are the same with and without a cached outline', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        value,
        value,
        value,
        fc.boolean(),
        (pieces, a, b, c, inlineCss) => {
          const { kept, made } = both(pieces.join(''), { a, b, c }, { inlineCss, isTextDerived: true });
          expect(kept).toEqual(made);
        },
      ),
      { numRuns: sized({ small: 100, full: 2_000 }) },
    );
  });

  it('are the same if the end of a style puts an ampersand before a value', () => {
    const source = '&<style>p{color:red}</style>{{a}}';
    const { kept, made } = both(source, { a: 'lt;', b: '', c: '' }, { inlineCss: true, isTextDerived: true });
    expect(kept).toEqual(made);
  });

  it('are converted once for all recipients, and separately for a value that the conversion would change', () => {
    const source = '<p>Dear {{a}}, <a href="{{b}}">your page</a></p>';
    const seen: string[] = [];
    for (const a of ['Ada', 'Bo & Co', 'x  y', 'Cy']) {
      const rendered = templates.render(source, 'html', { a, b: 'https://x.example/?a=1' });
      if (rendered.kind === 'problem' || rendered.filling === null) throw new Error('not flat');
      const { output, filling } = rendered;
      const marked = () => {
        seen.push(a);
        return filling.marked();
      };
      const wanted = { inlineCss: false, isTextDerived: true };
      expect(bodiesOf(output, wanted, { filling: { ...filling, marked }, key: null })).toEqual({
        kind: 'bodies',
        html: output,
        text: `Dear ${a.replace('  ', ' ')}, your page [https://x.example/?a=1]`,
      });
    }
    expect(seen).toEqual(['Ada']);
  });

  it('are converted once even if a value occurs in a link and in the text', () => {
    const source = '<p>To {{a}}: <a href="https://x.example/?to={{a}}">your page</a></p>';
    const seen: string[] = [];
    for (const a of ['ann@x.example', 'bob@x.example']) {
      const rendered = templates.render(source, 'html', { a });
      if (rendered.kind === 'problem' || rendered.filling === null) throw new Error('not flat');
      const { output, filling } = rendered;
      const marked = () => {
        seen.push(a);
        return filling.marked();
      };
      const wanted = { inlineCss: false, isTextDerived: true };
      expect(bodiesOf(output, wanted, { filling: { ...filling, marked }, key: null })).toMatchObject({
        text: `To ${a}: your page [https://x.example/?to=${a}]`,
      });
    }
    expect(seen).toHaveLength(1);
  });
});
