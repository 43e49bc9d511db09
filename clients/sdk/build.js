// Builds the package: dist/esm and dist/cjs with declarations for both, and `packSdk`, its tarball as the appliance serves it. Types are
// checked by `npm run types`; declarations come from each file alone, which takes a tenth of the time.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { create } from 'tar';
import ts from 'typescript';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const SOURCE = join(FOLDER, 'src');
const DIST = join(FOLDER, 'dist');
/** Runtimes of the edge have what Node 20 has, of the language. */
const TARGET = 'es2022';
/** Holds nothing but types, and is large. */
const TYPES_ALONE = 'openapi';

/** Every file that the package is made of. */
export function sdkFiles() {
  const sources = readdirSync(SOURCE, { recursive: true }).filter((name) => name.endsWith('.ts'));
  return [
    'package.json',
    'README.md',
    'LICENSE',
    'build.js',
    ...sources.map((name) => join('src', name)),
  ].map((name) => join(FOLDER, name));
}

export async function buildSdk() {
  rmSync(DIST, { recursive: true, force: true });
  const files = sdkFiles().filter((file) => file.endsWith('.ts'));
  await Promise.all(files.map((file) => buildFile(file)));
  writeFileSync(join(DIST, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
}

async function buildFile(file) {
  const text = readFileSync(file, 'utf8');
  const name = file.slice(SOURCE.length + 1, -'.ts'.length);
  const declaration = name === TYPES_ALONE ? text : declarationOf(file, text);
  for (const format of ['esm', 'cjs']) {
    const { code } = await transform(text, {
      loader: 'ts',
      format,
      target: TARGET,
      supported: { 'dynamic-import': true },
    });
    const out = join(DIST, format, name);
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(`${out}.js`, code);
    writeFileSync(`${out}.d.ts`, declaration);
  }
}

function declarationOf(fileName, text) {
  const compilerOptions = { isolatedDeclarations: true, target: ts.ScriptTarget.ES2022, strict: true };
  return ts.transpileDeclaration(text, { fileName, compilerOptions }).outputText;
}

/** Builds the package and packs it into this file, as `npm pack` does. The same sources give the same octets. */
export async function packSdk(tarball) {
  await buildSdk();
  const { files } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));
  const options = { cwd: FOLDER, prefix: 'package', gzip: true, portable: true, mtime: new Date(0) };
  await create({ ...options, file: tarball }, ['package.json', ...files].sort());
}

if (process.argv[1] === import.meta.filename) await buildSdk();
