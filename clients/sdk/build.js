// Builds the package: dist/esm and dist/cjs with declarations for both, and `packSdk`, its tarball as the appliance serves it. Types are
// checked by `npm run types`, not here.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import ts from 'typescript';
import { packFolder } from '../pack-client.js';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const SOURCE = join(FOLDER, 'src');
const DIST = join(FOLDER, 'dist');
/** Runtimes of the edge have what Node 20 has, of the language. */
const TARGET = 'es2022';
const FORMATS = ['esm', 'cjs'];
/** Large, and nothing but types: it is its own declaration. */
const TYPES_ALONE = join(SOURCE, 'openapi.ts');

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
  const names = files.map((file) => file.slice(SOURCE.length + 1, -'.ts'.length));
  for (const folder of new Set(names.map(dirname))) {
    for (const format of FORMATS) mkdirSync(join(DIST, format, folder), { recursive: true });
  }
  const scripts = names.map((name) => buildScript(name));
  writeDeclarations(files.filter((file) => file !== TYPES_ALONE));
  for (const format of FORMATS) copyFileSync(TYPES_ALONE, join(DIST, format, 'openapi.d.ts'));
  await Promise.all(scripts);
  writeFileSync(join(DIST, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
}

async function buildScript(name) {
  const text = readFileSync(join(SOURCE, `${name}.ts`), 'utf8');
  for (const format of FORMATS) {
    const options = { loader: 'ts', format, target: TARGET, supported: { 'dynamic-import': true } };
    const { code } = await transform(text, options);
    writeFileSync(join(DIST, format, `${name}.js`), code);
  }
}

function writeDeclarations(files) {
  const options = {
    ...{ declaration: true, emitDeclarationOnly: true, isolatedDeclarations: true, noCheck: true },
    ...{ rootDir: SOURCE, outDir: DIST, strict: true, types: [], lib: ['lib.es2022.d.ts'], noResolve: true },
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext },
  };
  ts.createProgram(files, options).emit(undefined, (file, text) => {
    for (const format of FORMATS) writeFileSync(file.replace(DIST, join(DIST, format)), text);
  });
}

/** Builds the package and packs it into `tarball`. */
export async function packSdk(tarball) {
  await buildSdk();
  await packFolder(FOLDER, tarball);
}

if (process.argv[1] === import.meta.filename) await buildSdk();
