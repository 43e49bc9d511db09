// The size of what is simulated: small in every check, in full where vitest.long.config.ts asks for it. A test file that takes its
// numbers from here runs in both.
export function sized<T>(sizes: { small: T; full: T }): T {
  return process.env['TEST_SIZE'] === 'full' ? sizes.full : sizes.small;
}
