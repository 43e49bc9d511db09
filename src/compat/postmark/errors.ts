// Postmark's numeric error codes.
import type { RefusalCode } from '../../contract/refusal.js';

/** Error codes with Postmark's HTTP status for each. */
const ERRORS: Partial<Record<RefusalCode, [code: number, status: number]>> = {
  unauthorized: [10, 401],
  forbidden: [10, 403],
  address_not_allowed: [10, 403],
  bad_request: [402, 422],
  sender_not_verified: [400, 422],
  sender_required: [400, 422],
  tenant_suspended: [412, 422],
  quota_exceeded: [405, 422],
  recipient_suppressed: [406, 422],
  template_not_found: [1101, 422],
  slug_taken: [1122, 422],
  rate_limited: [429, 429],
  internal_error: [500, 500],
  unavailable: [100, 503],
};
/** Codes of missing objects, by path prefix. */
const NOT_FOUND: readonly (readonly [beginning: string, code: number])[] = [
  ['/messages/', 701],
  ['/bounces/', 407],
  ['/templates/', 1101],
];
const INVALID_EMAIL = 300;
const INVALID_TEMPLATE = 1109;

/** Returns the vendor's codes for a refusal. `path` is that of the operation, below the vendor's base path. */
export function vendorError(code: RefusalCode, path: string): readonly [code: number, status: number | null] {
  if (code === 'not_found') {
    const known = NOT_FOUND.find(([beginning]) => path.startsWith(beginning));
    return known === undefined ? [404, 404] : [known[1], 422];
  }
  return ERRORS[code] ?? [path.startsWith('/templates') ? INVALID_TEMPLATE : INVALID_EMAIL, null];
}
