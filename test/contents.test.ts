// Tests that dist/LICENSES.txt has a licence text for each package of the image and the bundles, and that dist/sbom.cdx.json
// lists them.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const RECORDS = ['dist/build.json', 'dist/cli.json', 'dist/dashboard.json'];
const TEXTS = new Map(
  readFileSync('dist/LICENSES.txt', 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((part): [string, string] => {
      const [head = '', ...text] = part.split('\n');
      return [head, text.join('\n').trim()];
    }),
);

/** The head of a package's part. */
function headOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
    name: string;
    version: string;
    license: string;
  };
  return `${name} ${version} (${license})`;
}

/** Packages whose files are in the bundles, as recorded by the build. */
function bundled(): string[] {
  const files = RECORDS.filter((record) => existsSync(record)).flatMap((record) =>
    Object.keys((JSON.parse(readFileSync(record, 'utf8')) as { files: object }).files),
  );
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].map(headOf);
}

/** Packages that docker/collect.sh copies into the image. */
function copied(): string[] {
  const lines = readFileSync('docker/collect.sh', 'utf8').matchAll(/^cp -R (\S+).* "\$app\/node_modules\//gm);
  const names = [...lines].map(([, name = '']) =>
    name === '@node-rs' ? '@node-rs/argon2' : name.split('/')[0],
  );
  expect(names).toEqual(['cookie', '@node-rs/argon2', 'better-sqlite3']);
  return names.map((name) => headOf(`node_modules/${name}`));
}

it('has a licence text for every package in the bundles and beside them', () => {
  const packages = [...bundled(), ...copied()];
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter((head) => !TEXTS.has(head))).toEqual([]);
});

it('has licence texts for Node and for the compiled parts that npm chose for this machine', () => {
  const heads = [...TEXTS.keys()].join('\n');
  expect(heads).toMatch(/^node-(linux|darwin|win)\S* 24\./m);
  expect(heads).toMatch(/^@node-rs\/argon2-\S+ /m);
  expect(heads).toContain('SQLite (public domain)');
});

it('has texts that permit something', () => {
  const words = /permi|grant|public domain|licen[cs]e|redistribut/i;
  expect([...TEXTS].filter(([, text]) => !words.test(text)).map(([head]) => head)).toEqual([]);
});

it('copies the copyright file of each Debian package of the image', () => {
  const script = readFileSync('docker/collect.sh', 'utf8');
  const loop = /^for package in [\s\S]*?^done$/m.exec(script)?.[0] ?? '';
  expect(loop).toContain('status.d/$package');
  expect(loop).toContain('cp "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/"');
});

it('lists every package for scanners, and Node and SQLite by the names that they look for', () => {
  const { components } = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')) as {
    components: { name: string; version: string; cpe?: string }[];
  };
  const listed = new Map(components.map(({ name, version }) => [`${name} ${version}`, true]));
  const missing = [...bundled(), ...copied()].filter((head) => !listed.has(head.replace(/ \(.*\)$/, '')));
  expect(missing).toEqual([]);
  const cpes = components.flatMap(
    ({ cpe = '' }) => /^cpe:2\.3:a:[^:]+:([^:]+):([\d.]+):/.exec(cpe)?.slice(1) ?? [],
  );
  expect(cpes).toEqual(['node.js', process.versions.node, 'sqlite', expect.stringMatching(/^3\.\d+\.\d+$/)]);
});

it('builds the image from a context that has every file of the build', () => {
  const admitted = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const files = new Set(['esbuild.config.js', 'clients/cli/build.js', 'clients/sdk/build.js']);
  for (const file of files) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.{1,2}\/[^']+\.js)'/g)) {
      files.add(join(dirname(file), path));
    }
  }
  expect(files).toContain('clients/pack-client.js');
  expect([...files].filter((file) => !admitted.some((name) => `${file}/`.startsWith(`${name}/`)))).toEqual(
    [],
  );
});
