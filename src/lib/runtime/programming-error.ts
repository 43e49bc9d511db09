// Mistakes of the program itself, which must not pass for something that a peer, a server or a record did.

/** Codes of Node for a missing module and for a wrong argument. */
const CODES = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_INVALID_ARG_TYPE'];

/**
 * Rethrows an error that a mistake in the program causes: a missing function or module, or a wrong argument. Call it first in a
 * `catch` block that turns errors into a statement about somebody else.
 */
export function rethrowProgrammingError(error: unknown): void {
  if (!(error instanceof Error)) return;
  const code = 'code' in error ? String(error.code) : '';
  const isMistake = error instanceof TypeError || error instanceof ReferenceError;
  if ((isMistake && code === '') || CODES.includes(code)) throw error;
}
