// How a new sub-tenant's domain is set up: below our own zone, with aliases into it, or with records of its own.
import { invalidFields, Refusal } from '../contract/refusal.js';
import type { DkimMode } from '../domains/keys/dkim-publication.rules.js';
import { labelsBelow } from '../lib/dns/dns-answer.rules.js';
import type { Scope } from '../store/scope.js';
import type { Store } from '../store/store.js';
import { readSendingDomain } from '../domains/domain-name.js';

export interface NewDomainDeps {
  store: Pick<Store, 'zone'>;
  /** The appliance's host names and its bounce, inbound and platform domains: no customer may set them up. */
  ownNames: readonly string[];
  /** The zone that is delegated to us; null: none is. */
  zone: string | null;
}

export interface NewDomain {
  domain: string;
  dkimMode: DkimMode;
  /** Which of the fixed names its first keys have; null: names of their own. */
  slot: 0 | 1 | null;
}

/**
 * Refuses 422 for what cannot be a sending domain or cannot have such keys, and `domain_taken` for a name in the zone
 * that another workspace has or ever had: nobody is to get its replies.
 */
export async function newDomain(
  { store, ownNames, zone }: NewDomainDeps,
  scope: Scope,
  wish: { sendingDomain: string; dkim: 'txt' | 'cname' | null },
): Promise<NewDomain> {
  const domain = readSendingDomain(wish.sendingDomain, 'sending_domain', ownNames, zone);
  if (zone !== null && labelsBelow(domain, zone) !== null) {
    if (wish.dkim !== null) throw invalidDkim(`Below ${zone} there is nothing to publish; leave this out.`);
    if (await store.zone.isOfOthers(scope, domain)) {
      throw new Refusal('domain_taken', undefined, { param: 'sending_domain' });
    }
    // Others may still remember what a sub-tenant that is gone had under the name.
    const slot = (await store.zone.lastSlot(domain)) === 0 ? 1 : 0;
    return { domain, dkimMode: 'zone', slot };
  }
  if (zone === null && wish.dkim === 'cname') {
    throw invalidDkim('This service has no zone of its own that aliases could lead to.');
  }
  const dkimMode = wish.dkim ?? (zone === null ? 'txt' : 'cname');
  return { domain, dkimMode, slot: dkimMode === 'txt' ? null : 0 };
}

function invalidDkim(message: string): Error {
  return invalidFields([{ path: 'dkim', message }]);
}
