// Tests the samples of the reference in Python and PHP, each parsed by its language.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { groupOperations, type Described } from '../../src/http/docs/openapi-model.js';
import { buildSamples } from '../../src/http/docs/samples.js';

/** Programs that compile each text of a JSON list on standard input and print the errors. */
const READERS = {
  Python: ['python3', '-c', 'import sys,json\nfor one in json.load(sys.stdin): compile(one, one, "exec")'],
  PHP: [
    'php',
    '-r',
    'foreach (json_decode(stream_get_contents(STDIN)) as $one) token_get_all($one, TOKEN_PARSE);',
  ],
} as const;

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Described;

for (const [language, [program, ...args]] of Object.entries(READERS)) {
  const isThere = spawnSync(program, ['--version']).status === 0;
  if (!isThere) console.warn(`skipped: samples in ${language}: ${program} is not installed`);
  it.skipIf(!isThere)(`the samples in ${language} run`, () => {
    const samples = groupOperations(document)
      .flatMap(({ entries }) => entries.flatMap((entry) => buildSamples(entry, document)))
      .filter((sample) => sample.language === language)
      .map(({ code }) => code);
    expect(samples.length).toBeGreaterThan(150);
    const { status, stdout, stderr } = spawnSync(program, args, {
      input: JSON.stringify(samples),
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });
}
