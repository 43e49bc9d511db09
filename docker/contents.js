// Lists the contents of a build: the bundled packages, those installed next to the bundles, Node and SQLite. One file has their
// licence texts, another lists them for scanners (CycloneDX 1.6). A package without a licence text fails the build.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';

/** Packages that the program loads from node_modules, and the folders of packages that npm chooses by platform. */
const BESIDE_THE_BUNDLES = ['better-sqlite3', 'cookie'];
const OF_NODE = /^node-(?:linux|darwin|win)/;
const OF_THE_MACHINE = [
  ['@node-rs', /^argon2/],
  ['', OF_NODE],
];
const NODE = { type: 'platform', name: 'node', licenses: [{ expression: 'MIT' }] };
const SQLITE = { type: 'library', name: 'sqlite', licenses: [{ license: { name: 'public domain' } }] };
const SQLITE_TEXT = [
  'SQLite (public domain)',
  'Compiled into better-sqlite3; its authors have dedicated it to the public domain. See https://sqlite.org/copyright.html.',
];
const PACKAGE_OF_FILE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const TEXT_FILES = /^(?:licen[cs]e|copying|notice)/i;

const PERMISSIONS = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  ISC: `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the
above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY
DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
};

/** `files` are the bundled files, including the project's own. */
export function writeContents({ licenses, sbom }, files) {
  const packages = packagesIn([...packagesBeside(), ...foldersOf(files)]);
  writeTexts(licenses, [...textsOf(packages), SQLITE_TEXT]);
  writeSbom(sbom, packages);
}

/** Writes the licence texts of the packages that these files were bundled from. */
export function writeLicenses(target, files) {
  writeTexts(target, textsOf(packagesIn(foldersOf(files))));
}

function foldersOf(files) {
  return files.flatMap((file) => PACKAGE_OF_FILE.exec(file)?.[1] ?? []);
}

function packagesIn(folders) {
  return [...new Set(folders)].map((folder) => ({
    folder,
    ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  }));
}

function textsOf(packages) {
  return packages.map((one) => [`${one.name} ${one.version} (${one.license})`, textOf(one.folder, one)]);
}

function writeTexts(target, texts) {
  const parts = new Map(texts);
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(target, sorted.map(([head, text]) => `## ${head}\n\n${text.trim()}\n`).join('\n'));
}

/** Has no serial number and no time, so that the same packages give the same octets. */
function writeSbom(target, packages) {
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const libraries = packages.map((one) => ({
    type: 'library',
    name: one.name,
    version: one.version,
    licenses: [{ expression: one.license }],
    purl: `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`,
  }));
  const database = new Database(':memory:');
  const sqlite = database.prepare('SELECT sqlite_version()').pluck().get();
  database.close();
  const node = packages.find((one) => OF_NODE.test(one.name))?.version ?? process.versions.node;
  const components = [
    ...new Map(libraries.map((one) => [one.purl, one])).values(),
    { ...NODE, version: node, cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*` },
    { ...SQLITE, version: sqlite, cpe: `cpe:2.3:a:sqlite:sqlite:${sqlite}:*:*:*:*:*:*:*` },
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version } },
    components,
  };
  writeFileSync(target, `${JSON.stringify(bom, null, 1)}\n`);
}

function packagesBeside() {
  const chosen = OF_THE_MACHINE.flatMap(([scope, names]) =>
    readdirSync(join('node_modules', scope))
      .filter((name) => names.test(name))
      .map((name) => join('node_modules', scope, name)),
  );
  return [...BESIDE_THE_BUNDLES.map((name) => join('node_modules', name)), ...chosen];
}

function textOf(folder, { name, license, author }) {
  const texts = readdirSync(folder)
    .filter((file) => TEXT_FILES.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  if (texts.length > 0) return texts.join('\n\n');
  // A compiled part of another package, which has the text.
  const whole = join(dirname(folder), name.split('/').at(-1).split('-')[0]);
  if (name.startsWith('@') && existsSync(join(whole, 'LICENSE')))
    return textOf(whole, { name, license, author });
  const permission = PERMISSIONS[license];
  if (permission === undefined) throw new Error(`${name} (${license}) has no licence text.`);
  const holder = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  return `Copyright (c) ${holder}\n\n${permission}`;
}
