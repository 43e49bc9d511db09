import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileEgress } from '../../../src/outbound/route/egress-data.rules.js';
import { compileProviders } from '../../../src/outbound/route/provider.rules.js';
import { compileShaping } from '../../../src/outbound/shape/shaping.rules.js';
import { parseDurationMs, parseRate, readOperatorData } from '../../../src/lib/config/operator-data.rules.js';
import { parseDuration } from '../../../src/lib/config/duration.js';
import { readShipped } from '../../../src/settings/shipped.js';

describe('notations', () => {
  it.each([
    ['60/min', { count: 60, perMs: 60_000, burst: 1 }],
    ['10/h', { count: 10, perMs: 3_600_000, burst: 1 }],
    ['100/s', { count: 100, perMs: 1000, burst: 100 }],
    ['600/min', { count: 600, perMs: 60_000, burst: 10 }],
    ['5000/d', { count: 5000, perMs: 86_400_000, burst: 1 }],
    ['60/min burst 10', { count: 60, perMs: 60_000, burst: 10 }],
    ['0/min', undefined],
    ['60/min burst 0', undefined],
    ['60', undefined],
    ['60/m', undefined],
    ['-1/s', undefined],
  ])('rate %s', (text, expected) => {
    expect(parseRate(text)).toEqual(expected);
  });

  it.each(['250ms', '90s', '5m', '1.5h', '3d', '0s', '5', '5 minutes', '-5s', ''])(
    'duration %s is as in the settings',
    (text) => {
      expect(parseDurationMs(text)).toBe(parseDuration(text));
    },
  );
});

describe('readWritten', () => {
  it('reports every problem with its path, and no values', () => {
    const read = (): unknown =>
      readOperatorData('things', (reader) => {
        const { a, b } = reader.fields({ a: 'hunter2', b: 5, c: 1, 'hunter2@x': 1 }, 'the whole', ['a', 'b']);
        return [reader.whole(a, 'a', { min: 1, max: 2 }), reader.text(b, 'b'), reader.name('x y', 'c')];
      });
    expect(read).toThrow(
      [
        'things: the whole has an unknown field: "c"',
        'things: the whole has an unknown field',
        'things: a must be a whole number from 1 to 2',
        'things: b must be a non-empty string',
        'things: c must be a name with at most 63 letters, digits, ".", "_" or "-"',
      ].join('\n'),
    );
  });
});

describe('docs/shaping.md', () => {
  const page = readFileSync(new URL('../../../docs/shaping.md', import.meta.url), 'utf8');
  const example = (name: string): unknown =>
    JSON.parse(new RegExp(`\`\`\`json ${name}\n([^\`]*)\`\`\``).exec(page)?.[1] ?? '') as unknown;
  const { names } = compileProviders(readShipped('providers'));

  it('has valid examples', () => {
    const shaping = compileShaping(readShipped('shaping'), example('shaping'), names);
    expect(shaping.automation[0]?.name).toBe('partner-maintenance');
    const base = {
      sourceAddresses: null,
      smarthost: null,
      ehloName: 'mail.example.com',
      providerNames: names,
    };
    expect(compileEgress(example('outbound'), base).notes).toEqual([]);
  });

  it('names every shipped rule and provider', () => {
    const { automation, providers } = readShipped('shaping') as {
      automation: { name: string }[];
      providers: object;
    };
    for (const name of [...automation.map((rule) => rule.name), ...Object.keys(providers)]) {
      expect(page).toContain(`\`${name}\``);
    }
  });
});
