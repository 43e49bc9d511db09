// Writes the samples of the README and the examples of the methods to files that can be compiled and run.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groupOperations, type Described } from '../../../../src/http/docs/openapi-model.js';
import { buildSamples } from '../../../../src/http/docs/samples.js';

const README = new URL('../../README.md', import.meta.url);
const SOURCES = new URL('../../src/', import.meta.url);
const GUIDES = new URL('../../../../docs/', import.meta.url);

export interface Sample {
  /** The heading above it. */
  title: string;
  code: string;
}

export function readSamples(): Sample[] {
  return readFileSync(README, 'utf8')
    .split(/^## /m)
    .flatMap((part) => {
      const title = part.split('\n', 1)[0] ?? '';
      return [...part.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => ({ title, code }));
    });
}

/** Returns the `@example` of every method, each as a function in one module. */
export function readExamples(): { count: number; code: string } {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/^(openapi|schemas)\.ts$/.test(name),
  );
  const examples = files.flatMap((name) =>
    [...readFileSync(new URL(name, SOURCES), 'utf8').matchAll(/@example\n((?: +\* .*\n)+) +\*\//g)].map(
      ([, text = '']) => text.replace(/^ +\* ?/gm, ''),
    ),
  );
  return { count: examples.length, code: moduleOf(examples) };
}

function moduleOf(blocks: readonly string[]): string {
  const functions = blocks.map((text, i) => `export async function example${i}() {\n${text}}\n`);
  return `import { Mailkeel, proofs, webhooks } from '@mailkeel/sdk';
declare const mailkeel: Mailkeel;
declare const request: Request;
declare const rawBody: string;
export { Mailkeel, mailkeel, proofs, request, rawBody, webhooks };
${functions.join('')}`;
}

/**
 * Returns the TypeScript blocks in the guides of docs/ that use a client they do not create, each as a function in one module.
 */
export function readGuides(): { count: number; code: string } {
  const blocks = readdirSync(GUIDES, 'utf8')
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => [...readFileSync(new URL(name, GUIDES), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)])
    .map(([, text = '']) => text)
    .filter((text) => !text.startsWith('import '));
  return { count: blocks.length, code: moduleOf(blocks) };
}

/** How the API reference calls each operation. */
export function readReference(): string[] {
  const document = JSON.parse(readFileSync(new URL('openapi.json', GUIDES), 'utf8')) as Described;
  return groupOperations(document).flatMap(({ entries }) =>
    entries.flatMap((entry) =>
      buildSamples(entry, document).flatMap(({ language, code }) =>
        language === 'TypeScript' ? [code] : [],
      ),
    ),
  );
}

const COMPILER = fileURLToPath(
  new URL('../../../../node_modules/typescript-native/bin/tsc', import.meta.url),
);
const TYPES = fileURLToPath(new URL('../../../../node_modules/@types', import.meta.url));

/**
 * Returns the compiler's problems in these files of one folder under `--strict`, optionally including the package's declarations.
 */
export async function compile(
  files: readonly string[],
  { declarations }: { declarations: boolean },
): Promise<string[]> {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: !declarations },
    ...{ target: 'ES2022', module: 'NodeNext', moduleResolution: 'NodeNext' },
    lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    ...{ typeRoots: [TYPES], types: ['node', 'react'] },
  };
  const config = join(dirname(files[0] ?? ''), 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, [COMPILER, '-p', config, '--pretty', 'false'], (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  // The rest of a problem is set in.
  return said.split('\n').filter((line) => /^\S/.test(line) && !line.includes('/@types/'));
}
