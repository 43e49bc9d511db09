import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { builtModules } from './test/support/built-modules.js';
import { FilesInOrder } from './test/support/files-in-order.js';

const isCi = process.env['CI'] !== undefined;
/** Most files of the long project also belong to another one, in their small size. A file run on PostgreSQL keeps its project. */
const isFull = process.env['TEST_SIZE'] === 'full' && process.env['TEST_PROGRAM_ON'] === undefined;
const KEYS = ['test/support/hand-out-keys.ts', 'test/support/cheap-hashes.ts'];
const IN_PROCESS = [...KEYS, 'test/support/checked-plans.ts'];

/** Modules with their stores and routes, and whole programs in the process of the test. */
const unit: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'unit',
    globalSetup: 'test/support/run-folder.ts',
    setupFiles: IN_PROCESS,
    include: ['test/**/*.test.ts', 'clients/*/test/**/*.test.ts'],
    exclude: ['test/program/**', 'test/system/**', 'test/long/**', 'clients/*/test/{program,system}/**'],
    // Scenarios wait more than they compute. In CI other suites run in parallel, and each worker loads and compiles all modules.
    maxWorkers: isCi ? 2 : 3,
    isolate: false,
  },
};

/** The real program with misbehaving peers. Needs no root and no network, but takes minutes. */
const program: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'program',
    globalSetup: 'test/support/run-folder.ts',
    setupFiles: IN_PROCESS,
    env: { TEST_ENGINE: 'PGlite' },
    include: [
      'test/program/**/*.test.ts',
      'clients/*/test/program/**/*.test.ts',
      // Further cases of the same promises run before a release, on PostgreSQL with the others.
      ...(process.env['TEST_PROGRAM_ON'] === 'PostgreSQL' ? ['test/long/*/*.test.ts'] : []),
    ],
    // Programs wait more than they compute.
    maxWorkers: 4,
    isolate: false,
  },
};

/** Needs Debian packages and root. One file at a time, because the peers hold ports and queues. */
const system: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'system',
    globalSetup: 'test/support/ready-keys.ts',
    setupFiles: KEYS,
    include: ['test/system/**/*.test.ts', 'clients/*/test/system/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    isolate: false,
  },
};

/** The full size of tests that CI runs small, and in the folders of test/long further cases of test/program. */
const long: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'long',
    globalSetup: 'test/support/run-folder.ts',
    setupFiles: KEYS,
    include: [
      'test/long/**/*.test.ts',
      // Files that take their size from test/support/run-size.ts, directly or through an import.
      ...filesThatImport('run-size.js'),
      'test/http/isolation.test.ts',
      'test/system/dashboard/*.test.ts',
    ],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    retry: 0,
  },
};

export default defineConfig({
  plugins: builtModules(),
  test: {
    projects: isFull ? [long] : [unit, program, system],
    // The built program is loaded unchanged.
    server: { deps: { external: [/\/dist\//] } },
    sequence: { sequencer: FilesInOrder },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One second, the default, is short on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    // Peers, ports and a busy machine: CI repeats a failed test once and reports the retry.
    retry: isCi ? 1 : 0,
  },
});

function filesThatImport(name: string): string[] {
  return ['test', 'clients/cli/test', 'clients/dashboard/test', 'clients/sdk/test']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes(`/${name}'`));
}
