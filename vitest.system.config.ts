import { defineConfig } from 'vitest/config';

// Needs Debian packages and root; one file at a time, because the peers hold ports and queues.
export default defineConfig({
  test: {
    // The built program is loaded as it is.
    server: { deps: { external: [/\/dist\//] } },
    include: ['test/system/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    isolate: false,
  },
});
