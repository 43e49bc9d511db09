// Finds the sub-tenant of a message by its From: mail from the domain of a sub-tenant is the sub-tenant's.
import { addressKey, domainOf } from '../../lib/mime/address.js';
import { isWithin } from '../../domains/senders/sender.rules.js';
import type { Scope } from '../../store/scope.js';
import type { ReadStore } from '../../store/store.js';
import type { Facts } from './facts.js';

/**
 * The scope narrowed to the sub-tenant whose sending domain the address is in, the nearest one; as it is when it names one already,
 * or when a sender of the workspace's own is as near.
 */
export async function scopeOfSender(
  deps: { store: Pick<ReadStore, 'tenants'>; facts: Pick<Facts, 'senderSide'> },
  scope: Scope,
  fromEmail: string | null,
): Promise<Scope> {
  if (scope.subTenantId !== null || fromEmail === null) return scope;
  const domain = domainOf(fromEmail);
  const { senders } = await deps.facts.senderSide(scope);
  const nearest = Math.max(
    0,
    ...senders.map(({ kind, identity }) => {
      if (kind === 'address') return identity === addressKey(fromEmail) ? Infinity : 0;
      return isWithin(domain, identity) ? identity.length : 0;
    }),
  );
  if (nearest >= domain.length) return scope;
  const tenant = await deps.store.tenants.tenantOfDomain(scope, domain);
  return tenant && tenant.domain.length > nearest ? { ...scope, subTenantId: tenant.id } : scope;
}
