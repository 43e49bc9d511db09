// Failures as people read them.
import { ApiError, ConnectionError } from '@posthorn/sdk';

export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return [error.sentence, ...error.problems.map((p) => p.message)].join(' ');
  return error instanceof Error ? error.message : String(error);
}

/** Of the fields of a form, by the names on the wire: `{email: 'email must be…'}`. Empty where the refusal is not about fields. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const own = error.param === null ? [] : [[error.param, error.sentence] as const];
  return Object.fromEntries([...own, ...error.problems.map(({ path, message }) => [path, message] as const)]);
}

export function isOffline(error: unknown): boolean {
  return error instanceof ConnectionError;
}
