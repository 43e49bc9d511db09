import { defineConfig } from 'vitest/config';

// The full-size versions of what CI runs small.
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
