// Reads the sender's data for acceptance. Simultaneous requests share their queries, so a burst costs few. No decision uses a row
// that was read before the request arrived.
import { Refusal } from '../../contract/refusal.js';
import { gather } from '../../lib/concurrency/index.js';
import type { Scope } from '../../database/scope.js';
import type { MessageStores } from '../stores.js';
import type { SubTenant } from '../../tenants/tenants.store.js';
import type { Organization } from '../../accounts/accounts.tables.js';
import type { Suppression } from '../../suppressions/suppressions.tables.js';
import type { Sender } from '../../domains/domains.tables.js';

export interface SenderSide {
  organization: Organization;
  tenant: SubTenant | null;
  /** Verified identities of the sub-tenant, or of the workspace when the message has none. */
  senders: Sender[];
}

export interface Facts {
  /** Refused with `sub_tenant_not_found` when the scope names one that does not exist. */
  senderSide(scope: Scope): Promise<SenderSide>;
  /** Rows that may block mail to these addresses, by address. */
  suppressionsOf(scope: Scope, emailKeys: readonly string[]): Promise<Suppression[]>;
}

export function createFacts(
  store: Pick<MessageStores, 'accounts' | 'tenants' | 'domains' | 'suppressions'>,
): Facts {
  async function readSenderSide(scope: Scope): Promise<SenderSide> {
    const tenantId = scope.subTenantId;
    const [organization, tenant, senders] = await Promise.all([
      store.accounts.organization(scope),
      tenantId === null ? null : store.tenants.subTenant(scope, tenantId),
      store.domains.verifiedSenders(scope),
    ]);
    if (tenantId !== null && tenant === null) {
      throw new Refusal('sub_tenant_not_found', undefined, { param: 'sub_tenant_id' });
    }
    return { organization, tenant, senders };
  }

  const senderSide = gather<Scope, SenderSide>((scopes) => {
    const sides = new Map<string, Promise<SenderSide>>();
    return scopes.map((scope) => {
      const key = `${scope.environmentId}/${scope.subTenantId ?? ''}`;
      const side = sides.get(key) ?? readSenderSide(scope);
      sides.set(key, side);
      return side;
    });
  });

  const suppressions = gather<Address, Suppression[]>((addresses) => {
    const found = store.suppressions.suppressionsAmong(addresses);
    return addresses.map(async ({ environmentId, emailKey }) => {
      const rows = await found;
      if (rows.length === 0) return rows;
      return rows.filter((row) => row.environment_id === environmentId && row.email_key === emailKey);
    });
  });

  return {
    senderSide,
    async suppressionsOf({ environmentId }, emailKeys) {
      return (
        await Promise.all(emailKeys.map((emailKey) => suppressions({ environmentId, emailKey })))
      ).flat();
    },
  };
}

interface Address {
  environmentId: number;
  emailKey: string;
}
