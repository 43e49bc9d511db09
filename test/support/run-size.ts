// The size of simulations: small in every check, full in the project `long` of vitest.config.ts. A test file that takes its
// numbers from here runs in both.

/** For whole tests of a variant of a promise that another test covers: `it.runIf(isFullSize)`. */
export const isFullSize = process.env['TEST_SIZE'] === 'full';

export function sized<T>(sizes: { small: T; full: T }): T {
  return isFullSize ? sizes.full : sizes.small;
}

/** So many generated cases in full size, and a tenth of them, at least fifty, in every check. */
export function runs(full: number): { numRuns: number } {
  return { numRuns: sized({ small: Math.min(full, Math.max(50, Math.ceil(full / 10))), full }) };
}

/** All of these in full size, and the first ones in every check. */
export function firstOf<T>(count: number, all: readonly T[]): readonly T[] {
  return isFullSize ? all : all.slice(0, count);
}

/** All of these in full size, and one of them in every check, alternating between turns. */
export function inTurn<T>(all: readonly T[], turn: number): readonly T[] {
  return isFullSize ? all : all.filter((_, at) => at === turn % all.length);
}

/**
 * How a program ends if only its stored data matters: killed in full size, gracefully in every check, which then needs no
 * separate process.
 */
export const ENDING = sized({
  small: { process: 'shared', signal: 'SIGTERM' },
  full: { process: 'own', signal: 'SIGKILL' },
} as const);
