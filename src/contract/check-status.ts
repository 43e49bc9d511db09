// Results of checks, of the server's own and of mail providers' requirements.

/** `unknown` if a check had no result; nothing follows from it. */
export const CHECK_STATUSES = ['pass', 'warn', 'fail', 'unknown'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

const WORST: readonly CheckStatus[] = ['fail', 'warn', 'unknown', 'pass'];

/** Returns the worst of the statuses; `unknown` if there are none. */
export function worstStatus(results: readonly { status: CheckStatus }[]): CheckStatus {
  return WORST.find((status) => results.some((result) => result.status === status)) ?? 'unknown';
}
