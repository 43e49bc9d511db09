// Checks the DNS of the domains of sub-tenants, of senders and of the platform.
import type { Actor } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import type { DomainContext } from './context.js';
import type { DomainStores } from './stores.js';
import { PLATFORM_OWNER } from './domains.store.js';
import { checkDomain, type CheckContext } from './check-domain.js';
import { platformPlan, senderPlan, takeOverPlan, tenantPlan, type Checked } from './check-plan.js';
import { ownerOfSender, ownerOfTenant, readResults, type DomainOwner } from './domain-records.js';
import type { Change } from '../database/change.js';
import { updates } from '../database/rows.js';
import { dkimKeys } from './domains.tables.js';

/** Attempts for a domain that changes while it is checked. */
const TRIES = 3;

type ChecksContext = Pick<
  DomainContext,
  'store' | 'clock' | 'wakeUps' | 'lifecycle' | 'intervals' | 'driftGraceMs' | 'forgetKeys'
> &
  CheckContext & { tenants: Pick<DomainContext['tenants'], 'stop'> };

/** Checks domains and commits findings, keys, status and drift. A failed look-up changes nothing. */
export class TenantChecks {
  readonly #context: ChecksContext;
  readonly #store: DomainStores;

  constructor(context: ChecksContext) {
    this.#context = context;
    this.#store = context.store;
  }

  /**
   * Checks the domain of a sub-tenant. If the domain is proved, other workspaces lose it. Does nothing for a sub-tenant that was
   * deleted or that lost its domain to a newer proof.
   */
  checkSubTenant({ id }: { id: string }, actor: Actor = 'worker'): Promise<void> {
    return retryIfChanged(async () => {
      const found = await this.#store.domainChecks.tenant(id);
      if (!found || found.row.taken_over_at !== null) return;
      const checked = await this.#look(ownerOfTenant(found.row), found.row.dns_results);
      const plan = tenantPlan(found, checked, this.#context, actor);
      await this.#commit(plan.changes);
      if (plan.isSuspended !== null) this.#stop(found.live.environmentId, id, plan.isSuspended);
      if (plan.hasEvents) this.#context.wakeUps.events();
      if (plan.provedSince === null) return;
      const { sending_domain: domain, workspace_id: workspaceId } = found.row;
      await this.#takeOver({ id, domain, workspaceId, verifiedAt: plan.provedSince });
    });
  }

  /** Checks a sender that is a domain in the same way. */
  checkSender({ id }: { id: string }): Promise<void> {
    return retryIfChanged(async () => {
      const row = await this.#store.domainChecks.sender(id);
      if (!row || row.taken_over_at !== null) return;
      const checked = await this.#look(ownerOfSender(row), row.dns_results);
      const plan = senderPlan(row, checked, this.#context);
      await this.#commit(plan.changes);
      if (plan.provedSince === null) return;
      const { identity: domain, workspace_id: workspaceId } = row;
      await this.#takeOver({ id, domain, workspaceId, verifiedAt: plan.provedSince });
    });
  }

  /** Advances the platform's keys as their records are found. */
  checkPlatform(): Promise<void> {
    return retryIfChanged(async () => {
      const keys = await this.#store.domains.dkimKeys([PLATFORM_OWNER]);
      const domain = keys.findLast((key) => key.state !== 'retired')?.domain;
      if (domain === undefined) return;
      const checked = await this.#look({ id: PLATFORM_OWNER, domain }, null);
      const changes = platformPlan(checked, this.#context);
      if (changes.length > 0) await this.#commit(changes);
    });
  }

  async #commit(changes: readonly Change[]): Promise<void> {
    await this.#store.commit(changes);
    if (changes.some((change) => updates(change, dkimKeys))) this.#context.forgetKeys();
  }

  async #look(owner: DomainOwner, dnsResults: string | null): Promise<Checked> {
    const { clock } = this.#context;
    const keys = await this.#store.domains.dkimKeys([owner.id]);
    const previous = readResults(dnsResults);
    const findings = await checkDomain(this.#context, { owner, keys, previous }, clock());
    return { keys, findings, now: clock() };
  }

  /** Runs after the proof is committed, so that the later of two simultaneous proofs sees the earlier one. */
  async #takeOver(proof: Parameters<DomainStores['domainChecks']['holdersBefore']>[0]): Promise<void> {
    for (const holder of await this.#store.domainChecks.holdersBefore(proof)) {
      await this.#commit(takeOverPlan(holder, proof.domain, this.#context.clock()));
      if (holder.table !== 'sub_tenants') continue;
      this.#stop(holder.live.environmentId, holder.id, true);
      this.#context.wakeUps.events();
    }
  }

  #stop(environmentId: number, tenantId: string, isStopped: boolean): void {
    this.#context.tenants.stop(environmentId, tenantId, 'suspended', isStopped);
  }
}

/**
 * Repeats a check if the domain changed in the meantime, because its results are outdated. After the last attempt, another check
 * has just stored its results.
 */
async function retryIfChanged(check: () => Promise<void>): Promise<void> {
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
