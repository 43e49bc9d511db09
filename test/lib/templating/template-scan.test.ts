import fc from 'fast-check';
import Handlebars from 'handlebars';
import { describe, expect, it } from 'vitest';

import { scanTemplate, TEMPLATE_LIMITS } from '../../../src/lib/templating/template-scan.js';
import { sized } from '../../support/run-size.js';

const PIECES = [
  '{{#if a}}',
  '{{~#if a~}}',
  '{{/if}}',
  '{{else}}',
  '{{else if b}}',
  '{{^}}',
  '{{^if a}}',
  '{{a}}',
  '{{{a}}}',
  '{{&a}}',
  '\\{{',
  '\\\\{{',
  '\\',
  '{{!-- }} {{#if a}} --}}',
  '{{!-- {{/if}} --~}}',
  '{{! {{/if}}',
  '{{!}}',
  '{{"a}}"}}',
  "{{#if 'x}}'}}",
  '{{[a}}b]}}',
  '{{a "\\"}}" }}',
  '{',
  '}',
  '}}',
  '{{',
  ' ',
  '\n',
  'x',
  '~',
  '{{~/if~}}',
  '{{ else }}',
  '{{elsewhere}}',
];

function depthOf(program: hbs.AST.Program): number {
  const depths = program.body.map((statement) => {
    if (statement.type !== 'BlockStatement') return 0;
    const { program: main, inverse } = statement as Partial<hbs.AST.BlockStatement>;
    return 1 + Math.max(main ? depthOf(main) : 0, inverse ? depthOf(inverse) : 0);
  });
  return Math.max(0, ...depths);
}

function countOf(program: hbs.AST.Program): number {
  return program.body.reduce((sum, statement) => {
    if (statement.type === 'ContentStatement') return sum;
    const { program: main, inverse } = statement as Partial<hbs.AST.BlockStatement>;
    return sum + 1 + (main ? countOf(main) : 0) + (inverse ? countOf(inverse) : 0);
  }, 0);
}

describe('the scan before the parser', () => {
  it('never accepts deeper nesting or more placeholders than the parser sees', () => {
    const source = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join(''));
    const opened = fc.integer({ min: 50, max: 70 });
    let parsedSources = 0;
    fc.assert(
      fc.property(source, opened, (inner, depth) => {
        const whole = '{{#if a}}'.repeat(depth) + inner + '{{/if}}'.repeat(depth);
        if (scanTemplate(whole) !== null) return;
        let program: hbs.AST.Program;
        try {
          program = Handlebars.parse(whole);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          return;
        }
        parsedSources += 1;
        expect(depthOf(program)).toBeLessThanOrEqual(TEMPLATE_LIMITS.nesting);
        expect(countOf(program)).toBeLessThanOrEqual(TEMPLATE_LIMITS.expressions);
      }),
      { numRuns: sized({ small: 150, full: 3_000 }) },
    );
    expect(parsedSources).toBeGreaterThan(sized({ small: 15, full: 50 }));
  });

  it('takes linear time for many apparent beginnings', () => {
    for (const piece of [
      '{{',
      '{{!--',
      '{{!-- --',
      '\\{{',
      '{{"',
      '{{[',
      '{{#if a}}{{/if}}',
      '{{(',
      '\n',
      '{{!}}',
    ]) {
      const source = piece.repeat(Math.floor(TEMPLATE_LIMITS.sourceChars / piece.length));
      const started = performance.now();
      scanTemplate(source);
      expect(performance.now() - started).toBeLessThan(200);
    }
  });

  it('returns line and column of a refused place', () => {
    expect(scanTemplate('a\nbc {{> x}}')).toMatchObject({ line: 2, column: 4 });
  });
});
