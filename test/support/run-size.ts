// The size of what is simulated: small in every check, in full where the project `long` of vitest.config.ts asks for it. A test file that takes its
// numbers from here runs in both.

/** For whole tests that are a further variant of a promise that another one keeps: `it.runIf(isFullSize)`. */
export const isFullSize = process.env['TEST_SIZE'] === 'full';

export function sized<T>(sizes: { small: T; full: T }): T {
  return isFullSize ? sizes.full : sizes.small;
}

/** So many generated cases in full size, and a tenth of them, at least fifty, in every check. */
export function runs(full: number): { numRuns: number } {
  return { numRuns: sized({ small: Math.min(full, Math.max(50, Math.ceil(full / 10))), full }) };
}

/** All of these in full size, and in every check the first ones. */
export function firstOf<T>(count: number, all: readonly T[]): readonly T[] {
  return isFullSize ? all : all.slice(0, count);
}

/** All of these in full size, and in every check one of them: the next in each turn. */
export function inTurn<T>(all: readonly T[], turn: number): readonly T[] {
  return isFullSize ? all : all.filter((_, at) => at === turn % all.length);
}

/**
 * How a program ends where only what it has stored is meant: killed in full size, in order in every check, which then needs no
 * process of its own.
 */
export const ENDING = sized({
  small: { process: 'shared', signal: 'SIGTERM' },
  full: { process: 'own', signal: 'SIGKILL' },
} as const);
