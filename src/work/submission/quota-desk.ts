// Live sends against the plan of the organization. The limits go into the plan that makes the messages and are kept to where
// it is applied: what is refused is not counted, and what is counted is counted once, by however many at once.
import type { MessageType } from '../../contract/names.js';
import { isUnlimited, type PlanLimits } from '../../rules/quota.js';
import type { HoldToPlan } from '../../store/plan.js';
import type { Scope } from '../../store/scope.js';

export interface Asked {
  type: MessageType;
  /** Messages that will be counted: suppressed ones are not. */
  sends: number;
}

export interface QuotaDesk {
  /**
   * What to put before the messages of a plan, so that it is refused with `quota_exceeded` when they are too many. Nothing
   * in the sandbox, and where nothing is limited.
   */
  hold(scope: Scope, plan: string, asked: Asked, now: number): HoldToPlan[];
}

export function createQuotaDesk(plans: ReadonlyMap<string, PlanLimits>): QuotaDesk {
  return {
    hold({ organizationId, mode }, plan, { type, sends }, now) {
      const limits = plans.get(plan);
      if (!limits) throw new Error(`There is no plan ${plan} in config/plans.json.`);
      if (mode === 'test' || sends === 0 || isUnlimited(limits)) return [];
      return [{ kind: 'hold-to-plan', organizationId, limits, type, asked: sends, now }];
    },
  };
}
