// Raises shares by their plans, and lowers those whose direct mail bounces or causes complaints. Each change is in the audit log.
import { auditInsert } from '../accounts/audit/audit.store.js';
import { Refusal } from '../contract/refusal.js';
import type { SharedRoute } from '../outbound/route/egress-control.js';
import { changeShare, countJudged, type ShareChange } from './change-share.js';
import type { RouteShareContext } from './context.js';
import { decideRise, LOWER_FROM, type RiseDecision } from './rise.rules.js';

export class ShareSweep {
  readonly #context: RouteShareContext;

  constructor(context: RouteShareContext) {
    this.#context = context;
  }

  /** Evaluates every share with a plan. Rejects at the end if one of them could not be evaluated. */
  async run(): Promise<void> {
    const faults: unknown[] = [];
    for (const shared of this.#context.control.shares()) {
      try {
        await this.#judge(shared);
      } catch (error) {
        // A person has changed the share. The next sweep decides again.
        if (!(error instanceof Refusal && error.code === 'conflict')) faults.push(error);
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, 'shares of routes could not be judged');
  }

  async #judge(shared: SharedRoute): Promise<void> {
    const { clock, log } = this.#context;
    const { rise, row } = shared;
    if (rise === null) return;
    const counts = await countJudged(this.#context, row);
    const decision = decideRise(row, rise, counts, clock());
    if (decision.kind === 'keep') return;
    const change = changeFor(decision);
    await changeShare(this.#context, shared, change, await this.#auditEntry(shared, decision, change));
    log.info(
      { route: shared.name, from: row.percent, to: change.percent, reason: change.reason },
      decision.kind === 'raise' ? 'share of route raised' : 'share of route lowered',
    );
  }

  async #auditEntry({ name, row }: SharedRoute, { kind }: RiseDecision, { percent, reason }: ShareChange) {
    const { store, clock } = this.#context;
    const organization = await store.accounts.firstOrganization();
    if (organization === null) return [];
    return [
      auditInsert({
        at: clock(),
        organizationId: organization.id,
        workspaceId: null,
        actor: { kind: 'operator', id: null },
        action: `routeShares.${kind}`,
        targetId: name,
        detail: { from: row.percent, to: percent, reason },
      }),
    ];
  }
}

function changeFor(decision: Exclude<RiseDecision, { kind: 'keep' }>): ShareChange {
  const { percent } = decision;
  if (decision.kind === 'raise') return { percent, state: 'active', reason: 'Raised as planned.' };
  const { rate, value } = decision;
  const what = rate === 'bounce' ? 'The bounce rate' : 'The complaint rate';
  const reason = `${what} of direct mail was ${inPercent(value)} %, and the limit is ${inPercent(LOWER_FROM[rate])} %.`;
  return { percent, state: 'lowered', reason };
}

function inPercent(rate: number): string {
  return String(Math.round(rate * 10_000) / 100);
}
