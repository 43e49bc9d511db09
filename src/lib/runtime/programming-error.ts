// Distinguishes mistakes in the program from errors caused by a peer, a server or a record.

/** Node's codes for a missing module and for a wrong argument. */
const CODES = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_INVALID_ARG_TYPE'];

/**
 * Rethrows an error caused by a mistake in the program: a missing function or module, or a wrong argument.
 * Call it first in a `catch` block that attributes errors to others.
 */
export function rethrowProgrammingError(error: unknown): void {
  if (!(error instanceof Error)) return;
  const code = 'code' in error ? String(error.code) : '';
  const isMistake = error instanceof TypeError || error instanceof ReferenceError;
  if ((isMistake && code === '') || CODES.includes(code)) throw error;
}
