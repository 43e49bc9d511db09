import { defineConfig } from 'vitest/config';
import { builtModules } from './test/support/built-modules.js';
import { FilesInOrder } from './test/support/files-in-order.js';

/** Further cases of the same promises, which run before a release; on PostgreSQL with the others. */
const furtherCases = process.env['TEST_PROGRAM_ON'] === 'PostgreSQL' ? ['test/long/*/*.test.ts'] : [];

// The real program with peers that behave as peers do. No root and no network, but minutes.
export default defineConfig({
  plugins: builtModules(),
  test: {
    // The built program is loaded as it is.
    server: { deps: { external: [/\/dist\//] } },
    globalSetup: 'test/support/run-folder.ts',
    setupFiles: [
      'test/support/hand-out-keys.ts',
      'test/support/cheap-hashes.ts',
      'test/support/checked-plans.ts',
    ],
    env: { TEST_ENGINE: 'PGlite' },
    include: ['test/program/**/*.test.ts', 'clients/*/test/program/**/*.test.ts', ...furtherCases],
    sequence: { sequencer: FilesInOrder },
    testTimeout: 60_000,
    // A second, unless said, is little on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    // They wait more than they compute.
    maxWorkers: 4,
    isolate: false,
    // Peers, ports and a busy machine: what fails once there is asked again, and shown as retried.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});
