import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { builtModules } from './test/support/built-modules.js';

// The full-size versions of what CI runs small, and in the folders of test/long further cases of what test/program promises.
export default defineConfig({
  plugins: builtModules(),
  test: {
    // The built program is loaded as it is.
    server: { deps: { external: [/\/dist\//] } },
    globalSetup: 'test/support/run-folder.ts',
    setupFiles: ['test/support/hand-out-keys.ts', 'test/support/cheap-hashes.ts'],
    // And what takes its size from test/support/run-size.ts: by itself, or by what it imports.
    include: [
      'test/long/**/*.test.ts',
      ...filesThatImport('run-size.js'),
      'test/api/isolation.test.ts',
      'test/system/dashboard/*.test.ts',
    ],
    env: { TEST_SIZE: 'full' },
    testTimeout: 3_600_000,
    // A second, unless said, is little on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});

function filesThatImport(name: string): string[] {
  return ['test', 'clients/cli/test', 'clients/dashboard/test', 'clients/sdk/test']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes(`/${name}'`));
}
