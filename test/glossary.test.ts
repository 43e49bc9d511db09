// Tests that words which docs/glossary.md replaces do not reappear in names in the code.
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

/** Names in code, without comments and texts. */
function namesIn(source: string): string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replace(/`[^`]*`/g, (template) => (template.match(/\$\{[^}]*\}/g) ?? []).join(' '))
    .replace(/(^|[^:])\/\/[^\n]*/g, '$1');
  return [...new Set(code.match(/[A-Za-z_$][\w$]*/g) ?? [])];
}

/** A name as words: `createLaneBoard` and `lane_board` both contain ` lane board `. */
function wordsOf(name: string): string {
  const apart = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  return ` ${apart.toLowerCase()} `;
}

it('names nothing by a word that the glossary replaced', () => {
  const words = replacedWords();
  expect(words.length).toBeGreaterThan(30);
  // Migrations name existing columns.
  const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('database/migrations/'),
  );
  const replaced = new RegExp(` (${words.map((word) => wordsOf(word).trim()).join('|')})s? `);
  const found = files.flatMap((file) =>
    namesIn(readFileSync(`${ROOT}src/${file}`, 'utf8')).flatMap((name) => {
      const [, word] = replaced.exec(wordsOf(name)) ?? [];
      return word === undefined ? [] : [`${file}: ${name} (${word})`];
    }),
  );
  expect(found).toEqual([]);
});

it("begins no comment with a riddle: the thing's name or a verb comes first", () => {
  const riddle = /^(What|Who|Whose|Nobody|Those|It|They|Whoever)\b/;
  const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const found = files.flatMap((file) => {
    const lines = readFileSync(`${ROOT}src/${file}`, 'utf8').split('\n');
    return lines.flatMap((line, i) => {
      const isContinued = /^\s*\/\//.test(line) && /^\s*\/\//.test(lines[i - 1] ?? '');
      const [, inBlock] = /^\s*\/\*\*?$/.test(lines[i - 1] ?? '') ? (/^\s*\* (.*)/.exec(line) ?? []) : [];
      const [, begun] = isContinued ? [] : (/^\s*(?:\/\/|\/\*\*?) (.*)/.exec(line) ?? []);
      return riddle.test(inBlock ?? begun ?? '') ? [`${file}:${i + 1}: ${line.trim()}`] : [];
    });
  });
  expect(found).toEqual([]);
});
