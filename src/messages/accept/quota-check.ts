// Live sends against the plan of the organization. The limits go into the plan that makes the messages and are kept to where
// it is applied: what is refused is not counted, and what is counted is counted once, by however many at once.
import type { MessageType } from '../../contract/names.js';
import {
  isUnlimited,
  limitSentence,
  sendsLeft,
  usageDays,
  type PlanLimits,
} from '../../accounts/quota.rules.js';
import type { CheckQuota } from '../../store/plan.js';
import type { Scope } from '../../store/scope.js';
import type { Store } from '../../store/store.js';

export interface Asked {
  type: MessageType;
  /** Messages that will be counted: suppressed ones are not. */
  sends: number;
}

export interface QuotaCheck {
  /**
   * What to put before the messages of a plan, so that it is refused with `quota_exceeded` when they are too many. Nothing
   * in the sandbox, and where nothing is limited.
   */
  hold(scope: Scope, plan: string, asked: Asked, now: number): CheckQuota[];
  /** The limits that messages of this scope come under; null in the sandbox, and where nothing is limited. */
  limits(scope: Pick<Scope, 'mode'>, plan: string): PlanLimits | null;
}

export function createQuotaCheck(plans: ReadonlyMap<string, PlanLimits>): QuotaCheck {
  function limitsOf({ mode }: Pick<Scope, 'mode'>, plan: string): PlanLimits | null {
    const limits = plans.get(plan);
    if (!limits) throw new Error(`There is no plan ${plan} in config/plans.json.`);
    return mode === 'test' || isUnlimited(limits) ? null : limits;
  }

  return {
    hold(scope, plan, { type, sends }, now) {
      const limits = sends === 0 ? null : limitsOf(scope, plan);
      if (limits === null) return [];
      return [{ kind: 'check-quota', organizationId: scope.organizationId, limits, type, asked: sends, now }];
    },
    limits: limitsOf,
  };
}

/**
 * How many more messages of the type the plan allows at this moment, and the sentence that says why there are none; others may
 * take them first. Null where nothing is limited.
 */
export async function remainingQuota(
  { store, quota }: { store: Pick<Store, 'usage'>; quota: Pick<QuotaCheck, 'limits'> },
  scope: Scope,
  { plan, type, now }: { plan: string; type: MessageType; now: number },
): Promise<{ left: number; message: string } | null> {
  const limits = quota.limits(scope, plan);
  if (limits === null) return null;
  const used = await store.usage.ofOrganization(scope.organizationId, usageDays(now));
  const room = sendsLeft(limits, used, type, now);
  return room && { left: room.left, message: limitSentence(room) };
}
