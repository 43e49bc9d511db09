import { defineConfig } from 'vitest/config';

// The full-size versions of what CI runs small.
export default defineConfig({
  test: {
    // The built program is loaded as it is.
    server: { deps: { external: [/\/dist\//] } },
    globalSetup: 'test/support/run-folder.ts',
    setupFiles: ['test/support/hand-out-keys.ts', 'test/support/cheap-hashes.ts'],
    // And what takes its size from test/support/run-size.ts.
    include: [
      'test/long/**/*.test.ts',
      'test/scenarios/messages/killed-in-the-middle.test.ts',
      'test/api/isolation.test.ts',
      'test/domains/dkim-year.test.ts',
      'test/tenants/{many-tenants,held-sub-tenants}.test.ts',
      'test/outbound/{many-queues,crowded-provider,traffic-under-faults}.test.ts',
      'test/program/events/event-stream-outlives-kills.test.ts',
      'test/program/imports/*-outlives-a-kill.test.ts',
      'test/system/dashboard/*.test.ts',
    ],
    env: { TEST_SIZE: 'full' },
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
