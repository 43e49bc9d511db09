// docs/glossary.md against the code: the words that it replaced do not come back as parts of names.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** The replaced words: backticked in the last column of the glossary's tables. */
function replacedWords(): string[] {
  const rows = readFileSync(`${ROOT}docs/glossary.md`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const words = rows.flatMap((row) =>
    [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? ''),
  );
  return [...new Set(words)];
}

/** Names in code, without comments and texts. Templates are code. */
function namesIn(source: string): string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replace(/(^|[^:])\/\/[^\n]*/g, '$1');
  return [...new Set(code.match(/[A-Za-z_$][\w$]*/g) ?? [])];
}

/** `wayBack` is found in `wayBack`, `createWayBackRig` and `way_back`, and not in `always` or `planed`. */
function holds(name: string, word: string): boolean {
  const parts = (text: string): string =>
    ` ${text
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase()} `;
  const [all, wanted] = [parts(name), parts(word).trim()];
  return all.includes(` ${wanted} `) || all.includes(` ${wanted}s `);
}

it('names nothing by a word that the glossary replaced', () => {
  const words = replacedWords();
  expect(words.length).toBeGreaterThan(30);
  const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const found = files.flatMap((file) =>
    namesIn(readFileSync(`${ROOT}src/${file}`, 'utf8')).flatMap((name) =>
      words.filter((word) => holds(name, word)).map((word) => `${file}: ${name} (${word})`),
    ),
  );
  expect(found).toEqual([]);
});
