// What only a key of the whole workspace may do.
import { Refusal } from '../contract/refusal.js';
import type { Caller } from '../accounts/api-keys/credential-cache.js';

/** Whether the platform keeps a customer, and under what terms, is not the customer's to say. */
export function refusePinned(caller: Caller): void {
  if (caller.pinnedTo === null) return;
  throw new Refusal(
    'forbidden',
    'A key that is pinned to a sub-tenant cannot do this; use a key of the workspace.',
  );
}
