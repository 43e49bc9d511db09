// Who stands behind what a request does: in the trail, and where messages are counted.
import type { Caller } from '../accounts/api-keys/credential-cache.js';

export function trailActor({ actor }: Caller): 'api' | 'user' {
  return actor.kind === 'user' ? 'user' : 'api';
}

/** The same for submitted messages. */
export function submitterOf(caller: Caller): { actor: 'api' | 'user'; keyId: string | null } {
  return { actor: trailActor(caller), keyId: caller.actor.kind === 'api_key' ? caller.actor.id : null };
}
