import { defineConfig } from 'vitest/config';
import { builtModules } from './test/support/built-modules.js';
import { FilesInOrder } from './test/support/files-in-order.js';

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
    include: ['test/**/*.test.ts', 'clients/*/test/**/*.test.ts'],
    exclude: ['test/program/**', 'test/system/**', 'test/long/**', 'clients/*/test/{program,system}/**'],
    sequence: { sequencer: FilesInOrder },
    testTimeout: 60_000,
    // A second, unless said, is little on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
    // Scenarios wait more than they compute; and no module keeps state between tests, so files may share one. In CI other suites
    // run beside, and one more worker would load and compile all modules once more.
    maxWorkers: process.env['CI'] === undefined ? 3 : 2,
    isolate: false,
    // Peers, ports and a busy machine: what fails once there is asked again, and shown as retried.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});
