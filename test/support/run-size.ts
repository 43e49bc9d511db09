// The size of what is simulated: small in every check, in full where vitest.long.config.ts asks for it. A test file that takes its
// numbers from here runs in both.
export function sized<T>(sizes: { small: T; full: T }): T {
  return process.env['TEST_SIZE'] === 'full' ? sizes.full : sizes.small;
}

/** So many generated cases in full size, and a tenth of them, at least fifty, in every check. */
export function runs(full: number): { numRuns: number } {
  return { numRuns: sized({ small: Math.min(full, Math.max(50, Math.ceil(full / 10))), full }) };
}

/** For whole tests that are a further variant of a promise that another one keeps: `it.runIf(isFullSize)`. */
export const isFullSize = sized({ small: false, full: true });
