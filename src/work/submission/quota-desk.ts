// Live sends against the plan. What is being committed counts already, so that simultaneous requests cannot together
// go over the limit.
import { Refusal } from '../../contract/refusal.js';
import { quotaVerdict, usageDays, type PlanLimits } from '../../rules/quota.js';
import type { Scope } from '../../store/scope.js';
import type { ReadStore } from '../../store/store.js';

export interface QuotaDesk {
  /**
   * Reserves `asked` sends until the returned function is called, once they are committed or given up. Refused with
   * `quota_exceeded`.
   */
  reserve(scope: Scope, plan: string, asked: number, now: number): Promise<() => void>;
}

export function createQuotaDesk(
  store: Pick<ReadStore, 'usageOf'>,
  plans: ReadonlyMap<string, PlanLimits>,
): QuotaDesk {
  /** By environment. */
  const reserved = new Map<number, number>();

  function change(environmentId: number, by: number): void {
    const left = (reserved.get(environmentId) ?? 0) + by;
    if (left === 0) reserved.delete(environmentId);
    else reserved.set(environmentId, left);
  }

  return {
    async reserve({ environmentId, mode }, plan, asked, now) {
      const limits = plans.get(plan);
      if (!limits) throw new Error(`There is no plan ${plan} in config/plans.json.`);
      const isUnlimited = limits.dailySends === null && limits.monthlySends === null;
      if (mode === 'test' || isUnlimited || asked === 0) return () => undefined;
      const before = reserved.get(environmentId) ?? 0;
      change(environmentId, asked);
      const release = (): void => change(environmentId, -asked);
      try {
        const used = await store.usageOf(environmentId, usageDays(now));
        const verdict = quotaVerdict({
          plan: limits,
          used: { day: used.day + before, month: used.month + before },
          asked,
          now,
        });
        if (!verdict.isAllowed) throw exceeded(verdict);
        return release;
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

function exceeded(verdict: {
  period: 'day' | 'month';
  limit: number;
  used: number;
  resetsAt: number;
}): Refusal {
  const { period, limit, used } = verdict;
  const resetsAt = new Date(verdict.resetsAt).toISOString();
  return new Refusal('quota_exceeded', `The plan allows ${limit} sends a ${period}; ${used} are used.`, {
    details: { period, limit, used, resets_at: resetsAt },
  });
}
