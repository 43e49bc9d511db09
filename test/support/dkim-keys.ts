// Keys of a domain a.example, in the form that the rules read.
import type { LifecycleKey, LifecycleSettings } from '../../src/domains/keys/dkim-lifecycle.rules.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The shipped times. */
export const LIFECYCLE: LifecycleSettings = {
  settleMs: HOUR,
  reusedNameMs: 5 * MINUTE,
  overlapMs: 14 * DAY,
  revokedKeepMs: 30 * DAY,
};

export function dkimKey(id: string, fields: Partial<LifecycleKey> = {}): LifecycleKey {
  return {
    id,
    domain: 'a.example',
    selector: id,
    algorithm: id.startsWith('ed') ? 'ed25519-sha256' : 'rsa-sha256',
    record_value: `v=DKIM1; p=${id}`,
    state: 'pending',
    slot: null,
    created_at: 0,
    published_at: null,
    activated_at: null,
    retiring_at: null,
    revoke_at: null,
    revoked_at: null,
    ...fields,
  };
}
