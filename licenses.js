// Writes the licence texts of all packages that a build contains into one file: those that were bundled, those that lie beside the
// bundles, and Node. A package without a text fails the build.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Packages that the program loads from node_modules, and the folders of those that npm chooses by the machine. */
const BESIDE_THE_BUNDLES = ['better-sqlite3', 'cookie'];
const OF_THE_MACHINE = [
  ['@node-rs', /^argon2/],
  ['', /^node-(?:linux|darwin|win)/],
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

/** `files` are those that were bundled, of this project too. */
export function writeLicenses(target, files) {
  const folders = new Set(packagesBeside());
  for (const file of files) {
    const [, folder] = PACKAGE_OF_FILE.exec(file) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  const parts = new Map();
  for (const folder of folders) {
    const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    parts.set(`${name} ${version} (${license})`, textOf(folder, { name, license, author }));
  }
  parts.set(
    'SQLite (public domain)',
    'Compiled into better-sqlite3; its authors have dedicated it to the public domain. See https://sqlite.org/copyright.html.',
  );
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(target, sorted.map(([head, text]) => `## ${head}\n\n${text.trim()}\n`).join('\n'));
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
