// Checks of the domains that are set up here: sub-tenants', senders' and the platform's. Read, ask DNS, commit.
import type { Updateable } from 'kysely';
import type { Clock } from '../../runtime/clock.js';
import type { Plan, Update } from '../../store/plan.js';
import type { Store } from '../../store/store.js';
import type { SenderTable } from '../../store/tables/accounts.js';
import { PLATFORM_OWNER, type Sender, type SubTenant } from '../../store/tenants.js';
import { checkDomain, type DomainCheckDeps, type DomainFindings } from './check-domain.js';
import { readResults } from './domain-records.js';

/** A domain that nobody verified for so long after its last request has `failed`, until verify is asked again. */
const GIVE_UP_MS = 14 * 24 * 3_600_000;

export interface TenantChecks {
  /** Looks at the domain's DNS and keeps what it found: results, keys, `verified`. A failed look-up unverifies nobody. */
  checkSubTenant(tenant: SubTenant): Promise<void>;
  /** The same for a sender that is a domain. */
  checkSender(sender: Sender): Promise<void>;
  /** Switches the platform's keys on once their records are seen. */
  checkPlatform(): Promise<void>;
}

export interface TenantChecksDeps extends DomainCheckDeps {
  store: Pick<Store, 'tenants' | 'commit'>;
  clock: Clock;
}

export function createTenantChecks(deps: TenantChecksDeps): TenantChecks {
  const { store, clock } = deps;

  async function check(row: Owner, domain: string): Promise<{ findings: DomainFindings; now: number }> {
    const keys = await store.tenants.dkimKeys([row.id]);
    const previous = readResults(row.dns_results);
    const findings = await checkDomain(deps, { domain, keys, previous }, clock());
    return { findings, now: clock() };
  }

  return {
    async checkSubTenant(tenant) {
      const { findings, now } = await check(tenant, tenant.sending_domain);
      await store.commit(planOf('sub_tenants', tenant, findings, now));
    },
    async checkSender(sender) {
      const { findings, now } = await check(sender, sender.identity);
      await store.commit(planOf('senders', sender, findings, now));
    },
    async checkPlatform() {
      const all = await store.tenants.dkimKeys([PLATFORM_OWNER]);
      const keys = all.filter((key) => key.state !== 'retired');
      const domain = keys[0]?.domain;
      if (domain === undefined) return;
      const { keyChanges } = await checkDomain(deps, { domain, keys, previous: {} }, clock());
      if (keyChanges.length > 0) await store.commit(keyChanges);
    },
  };
}

type OwnerTable = 'sub_tenants' | 'senders';
type Owner = Pick<Sender, 'id' | 'dns_results' | 'verified_at' | 'created_at' | 'updated_at'>;
/** The columns that both tables have. */
type OwnerSet = Pick<
  Updateable<SenderTable>,
  | 'status'
  | 'verified_at'
  | 'last_checked_at'
  | 'return_path_ok'
  | 'inbound_ok'
  | 'tracking_ok'
  | 'dns_results'
  | 'updated_at'
>;
type OwnerWhere = { id: string; deleted_at: null; verified_at?: null; status?: Sender['status'][] };

function update(table: OwnerTable, set: OwnerSet, where: OwnerWhere): Update {
  return table === 'sub_tenants'
    ? { kind: 'update', table: 'sub_tenants', set, where }
    : { kind: 'update', table: 'senders', set, where };
}

/** Each change names the state that it starts from: a pause or a deletion that came meanwhile stays. */
function planOf(table: OwnerTable, row: Owner, findings: DomainFindings, now: number): Plan {
  const alive = { id: row.id, deleted_at: null };
  const { results, isReturnPathOk, isInboundOk, isTrackingOk, isComplete, keyChanges } = findings;
  const seen: OwnerSet = { dns_results: JSON.stringify(results), last_checked_at: now };
  if (isReturnPathOk !== null) seen.return_path_ok = isReturnPathOk ? 1 : 0;
  if (isInboundOk !== null) seen.inbound_ok = isInboundOk ? 1 : 0;
  if (isTrackingOk !== null) seen.tracking_ok = isTrackingOk ? 1 : 0;
  const plan: Update[] = [update(table, seen, alive), ...keyChanges];
  if (isComplete) {
    plan.push(
      update(
        table,
        { status: 'verified', updated_at: now },
        { ...alive, status: ['pending_verification', 'failed'] },
      ),
      update(table, { verified_at: now }, { ...alive, verified_at: null }),
    );
  } else if (now - Math.max(row.created_at, row.updated_at) > GIVE_UP_MS) {
    plan.push(
      update(table, { status: 'failed', updated_at: now }, { ...alive, status: ['pending_verification'] }),
    );
  }
  return plan;
}
