// Who stands in the trail behind what a request does.
import type { Caller } from '../../work/accounts/credential-cache.js';

export function trailActor({ actor }: Caller): 'api' | 'user' {
  return actor.kind === 'user' ? 'user' : 'api';
}
