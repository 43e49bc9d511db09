import { defineConfig } from 'vitest/config';
import { builtModules } from './test/support/built-modules.js';

// Needs Debian packages and root; one file at a time, because the peers hold ports and queues.
export default defineConfig({
  plugins: builtModules(),
  test: {
    // The built program is loaded as it is.
    server: { deps: { external: [/\/dist\//] } },
    globalSetup: 'test/support/ready-keys.ts',
    setupFiles: ['test/support/hand-out-keys.ts', 'test/support/cheap-hashes.ts'],
    include: ['test/system/**/*.test.ts', 'clients/*/test/system/**/*.test.ts'],
    testTimeout: 180_000,
    // A second, unless said, is little on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 300_000,
    fileParallelism: false,
    isolate: false,
    // Peers, ports and a busy machine: what fails once there is asked again, and shown as retried.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});
