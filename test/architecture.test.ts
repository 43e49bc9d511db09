// Tests the import rules: the ending of a file's name decides what it may import, and each external package has one owner.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type ICruiseOptions, type ICruiseResult, type IForbiddenRuleType, cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  forbidden: IForbiddenRuleType[];
  options: ICruiseOptions;
};

/** A rule that many files break, which shows that violations are found. */
const CANARY: IForbiddenRuleType = {
  ...{ name: 'canary', severity: 'error' },
  ...{ from: { path: '^src/database/' }, to: { path: '^src/contract/' } },
};

/** Resolves the `paths` of the TypeScript configurations and imports of `.js` without the plugin, which reads the configurations for each import. */
const RESOLUTION = {
  alias: {
    '@mailkeel/sdk$': `${ROOT}clients/sdk/src/index.ts`,
    '@mailkeel/cli/operations$': `${ROOT}clients/cli/src/operations.ts`,
  },
  extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
};

function sourceFiles(): string[] {
  return readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`);
}

/** The TypeScript files of clients, tests and examples. */
function clientFiles(): string[] {
  return ['clients', 'test', 'examples'].flatMap(typescriptIn);
}

function typescriptIn(folder: string): string[] {
  return readdirSync(`${ROOT}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : typescriptIn(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function readSource(file: string): string {
  return readFileSync(`${ROOT}${file}`, 'utf8');
}

let result: ICruiseResult;

beforeAll(async () => {
  const options = {
    ...config.options,
    baseDir: ROOT,
    validate: true,
    ruleSet: { forbidden: [...config.forbidden, CANARY] },
  };
  const folders = ['src', 'clients/sdk/src', 'clients/cli/src', 'clients/dashboard/src'];
  const { output } = await cruise(folders, options, RESOLUTION, {
    tsConfig: extractTSConfig(`${ROOT}tsconfig.json`),
  });
  if (typeof output === 'string') throw new Error('The dependency cruiser gave a text instead of a result.');
  result = output;
}, 120_000);

describe('the source', () => {
  it('is read completely by the dependency cruiser', () => {
    const seen = result.modules.map(({ source }) => source).filter((source) => /^src\/.*\.ts$/.test(source));
    expect(seen.sort()).toEqual(sourceFiles().sort());
    expect(seen.length).toBeGreaterThan(100);
    const imports = result.modules.flatMap((module) => module.dependencies);
    expect(imports.filter((dependency) => dependency.resolved.startsWith('src/')).length).toBeGreaterThan(
      200,
    );
  });

  it('keeps every rule of imports', () => {
    const broken = result.summary.violations
      .filter(({ rule }) => rule.name !== CANARY.name)
      .map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
    expect(broken).toEqual([]);
  });

  it('has the layers that docs/architecture.md lists', () => {
    const folders = config.forbidden.flatMap(
      ({ name }) => /^(.+)-imports-downwards$/.exec(name ?? '')?.[1] ?? [],
    );
    const drawn = readSource('docs/architecture.md')
      .split('\n')
      .flatMap((line) => /^\| \d+ +\| `([a-z-]+)` +\|/.exec(line)?.[1] ?? []);
    expect(drawn.toReversed()).toEqual(folders);
    const there = readdirSync(`${ROOT}src`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(there.map(({ name }) => name).sort()).toEqual(folders.toSorted());
  });

  it('gives each library an entry and a README, and docs/architecture.md a line for it', () => {
    const libraries = readdirSync(`${ROOT}src/lib`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
    expect(libraries.length).toBeGreaterThan(20);
    const listed = [
      ...readSource('docs/architecture.md').matchAll(
        /^\| \[`([a-z-]+)`\]\(\.\.\/src\/lib\/\1\/README\.md\) /gm,
      ),
    ];
    expect(listed.map(([, name]) => name)).toEqual(libraries);
    const incomplete = libraries.filter(
      (name) =>
        !existsSync(`${ROOT}src/lib/${name}/index.ts`) ||
        !readSource(`src/lib/${name}/README.md`).startsWith(`# ${name}\n`),
    );
    expect(incomplete).toEqual([]);
  });

  it('is checked by rules that find violations', () => {
    const found = result.summary.violations.filter(({ rule }) => rule.name === CANARY.name);
    expect(found.length).toBeGreaterThan(5);
  });

  it('has no file that only tests import', () => {
    const imported = new Set(
      result.modules.flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved)),
    );
    // The second engine of the store is there for its contract tests.
    const begins = /(^src\/(admin\/)?main|[-/]worker|\.d|^src\/database\/engine\/postgres)\.ts$/;
    const alone = sourceFiles().filter((file) => !imported.has(file) && !begins.test(file));
    expect(alone).toEqual([]);
  });

  it('reads the environment of the process in src/settings only', () => {
    const readers = sourceFiles().filter((file) =>
      /process\s*(\.\s*env|\[\s*['"]env)/.test(readSource(file)),
    );
    expect(readers.filter((file) => !file.startsWith('src/settings/'))).toEqual([]);
    expect(readers).not.toEqual([]);
  });

  it('asks for the time through the clock alone', () => {
    const askers = sourceFiles().filter((file) => /\bDate\.now\(|\bnew Date\(\)/.test(readSource(file)));
    expect(askers).toEqual(['src/lib/runtime/clock.ts']);
  });

  it('gives rows of hand-written SQL a type instead of their fields', () => {
    const untyped =
      /(?:\b[a-z]\w*|[)\]])\??\.?\['\w+'\]|\brows\w* as (?:[A-Z{]|unknown)|\]?\)+ as unknown as \w+\[\]/;
    const readers = sourceFiles().filter((file) => /\.(?:run|rows)\(/.test(readSource(file)));
    expect(readers.length).toBeGreaterThan(50);
    // `rowsAs` itself, and the engine beneath it.
    const casting = ['src/database/engine/postgres.ts', 'src/database/sql.ts'];
    expect(readers.filter((file) => untyped.test(readSource(file))).sort()).toEqual(casting);
  });

  it('declares lists of words as literal unions, not as enums', () => {
    const declared = [...sourceFiles(), ...clientFiles()].filter((file) =>
      /^\s*(?:export |declare |const )*enum \w/m.test(readSource(file)),
    );
    expect(declared).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('is seen with the SDK and what else it imports, so that its rules hold', () => {
    const own = result.modules.filter(({ source }) => source.startsWith('clients/dashboard/src/'));
    expect(own.length).toBeGreaterThan(20);
    const imported = own.flatMap(({ dependencies }) => dependencies.map(({ resolved }) => resolved));
    expect(imported).toEqual(
      expect.arrayContaining(['clients/sdk/src/index.ts', 'clients/cli/src/operations.ts']),
    );
  });
});
