// Checks of the domains that are set up here: sub-tenants', senders' and the platform's. Read, ask DNS, commit.
import type { Actor } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { DomainStores } from './stores.js';
import { PLATFORM_OWNER } from './domains.store.js';
import { checkDomain, type DomainCheckDeps } from './check-domain.js';
import {
  platformPlan,
  senderPlan,
  takeOverPlan,
  tenantPlan,
  type Checked,
  type CheckTerms,
} from './check-plan.js';
import { ownerOfSender, ownerOfTenant, readResults, type DomainOwner } from './domain-records.js';
import type { Change } from '../database/change.js';
import { updates } from '../database/rows.js';
import { dkimKeys } from './domains.tables.js';

/** Of a domain that changes while it is checked. */
const TRIES = 3;

export interface TenantChecks {
  /**
   * Looks at the domain's DNS and commits what follows: findings, keys, `verified`, drift and its end. A failed look-up
   * changes nothing. Does nothing for a sub-tenant that is gone, or that lost its domain to a newer proof. A domain that is
   * proved is taken from other workspaces. `actor`: who wanted to know; the sweep when absent.
   */
  checkSubTenant(tenant: { id: string }, actor?: Actor): Promise<void>;
  /** The same for a sender that is a domain. */
  checkSender(sender: { id: string }): Promise<void>;
  /** Moves the platform's keys on as their records are seen. */
  checkPlatform(): Promise<void>;
}

export interface TenantChecksDeps extends DomainCheckDeps, CheckTerms {
  store: Pick<DomainStores, 'domains' | 'domainChecks' | 'commit'>;
  clock: Clock;
  /** Tells delivery to hold a sub-tenant's mail, or to let it go; the row says it already. */
  stop: (environmentId: number, tenantId: string, cause: 'suspended', isStopped: boolean) => void;
  notifyEvents: () => void;
  /** Tells whoever signs that the keys in its memory may be stale. */
  forgetKeys?: () => void;
}

export function createTenantChecks(deps: TenantChecksDeps): TenantChecks {
  const { store, clock, stop, notifyEvents, forgetKeys = () => undefined } = deps;

  async function commit(changes: readonly Change[]): Promise<void> {
    await store.commit(changes);
    if (changes.some((change) => updates(change, dkimKeys))) forgetKeys();
  }

  async function look(owner: DomainOwner, dnsResults: string | null): Promise<Checked> {
    const keys = await store.domains.dkimKeys([owner.id]);
    const previous = readResults(dnsResults);
    const findings = await checkDomain(deps, { owner, keys, previous }, clock());
    return { keys, findings, now: clock() };
  }

  /** After the proof is on disk, so that of two proofs at one time the later sees the earlier. */
  async function takeOver(
    proof: Parameters<DomainStores['domainChecks']['holdersBefore']>[0],
  ): Promise<void> {
    for (const holder of await store.domainChecks.holdersBefore(proof)) {
      await commit(takeOverPlan(holder, proof.domain, clock()));
      if (holder.table !== 'sub_tenants') continue;
      stop(holder.live.environmentId, holder.id, 'suspended', true);
      notifyEvents();
    }
  }

  return {
    checkSubTenant: (tenant, actor = 'worker') =>
      untilUndisturbed(async () => {
        const found = await store.domainChecks.tenant(tenant.id);
        if (!found || found.row.taken_over_at !== null) return;
        const checked = await look(ownerOfTenant(found.row), found.row.dns_results);
        const plan = tenantPlan(found, checked, deps, actor);
        await commit(plan.changes);
        if (plan.isSuspended !== null) {
          stop(found.live.environmentId, tenant.id, 'suspended', plan.isSuspended);
        }
        if (plan.hasEvents) notifyEvents();
        if (plan.provedSince === null) return;
        const { id, sending_domain: domain, workspace_id: workspaceId } = found.row;
        await takeOver({ id, domain, workspaceId, verifiedAt: plan.provedSince });
      }),

    checkSender: (sender) =>
      untilUndisturbed(async () => {
        const row = await store.domainChecks.sender(sender.id);
        if (!row || row.taken_over_at !== null) return;
        const checked = await look(ownerOfSender(row), row.dns_results);
        const plan = senderPlan(row, checked, deps);
        await commit(plan.changes);
        if (plan.provedSince === null) return;
        const { id, identity: domain, workspace_id: workspaceId } = row;
        await takeOver({ id, domain, workspaceId, verifiedAt: plan.provedSince });
      }),

    checkPlatform: () =>
      untilUndisturbed(async () => {
        const keys = await store.domains.dkimKeys([PLATFORM_OWNER]);
        const domain = keys.findLast((key) => key.state !== 'retired')?.domain;
        if (domain === undefined) return;
        const checked = await look({ id: PLATFORM_OWNER, domain }, null);
        const changes = platformPlan(checked, deps);
        if (changes.length > 0) await commit(changes);
      }),
  };
}

/**
 * A change of the domain meanwhile, by its owner or another check, makes the answers outdated, so the check is
 * repeated. Where that goes on, another check has just stored its answers.
 */
async function untilUndisturbed(check: () => Promise<void>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      await check();
      return;
    } catch (error) {
      const isDisturbed = error instanceof Refusal && error.code === 'conflict';
      if (!isDisturbed) throw error;
    }
  }
}
