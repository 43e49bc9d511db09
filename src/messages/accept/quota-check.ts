// Checks live sends against the plan of the organization. The limits go into the plan that creates the messages, so a refused
// message is not counted and simultaneous requests are counted exactly.
import type { MessageType } from '../../contract/names.js';
import {
  isUnlimited,
  describeLimit,
  remainingSends,
  usageDays,
  type PlanLimits,
} from '../../accounts/quota.rules.js';
import type { Scope } from '../../database/scope.js';
import type { MessageStores } from '../stores.js';
import type { Change } from '../../database/change.js';
import { checkQuota } from '../../accounts/usage.store.js';

interface Asked {
  type: MessageType;
  /** Messages that count: suppressed ones do not. */
  sends: number;
}

export interface QuotaCheck {
  /**
   * The changes to put before the messages of a plan: it is refused with `quota_exceeded` when they are too many. Empty in
   * the sandbox and for an unlimited plan.
   */
  changes(scope: Scope, plan: string, asked: Asked, now: number): Change[];
  /** The limits for messages of this scope; null in the sandbox and for an unlimited plan. */
  limits(scope: Pick<Scope, 'mode'>, plan: string): PlanLimits | null;
}

export function createQuotaCheck(plans: ReadonlyMap<string, PlanLimits>): QuotaCheck {
  function limitsOf({ mode }: Pick<Scope, 'mode'>, plan: string): PlanLimits | null {
    const limits = plans.get(plan);
    if (!limits) throw new Error(`There is no plan ${plan} in config/plans.json.`);
    return mode === 'test' || isUnlimited(limits) ? null : limits;
  }

  return {
    changes(scope, plan, { type, sends }, now) {
      const limits = sends === 0 ? null : limitsOf(scope, plan);
      if (limits === null) return [];
      return [checkQuota({ organizationId: scope.organizationId, limits, type, asked: sends, now })];
    },
    limits: limitsOf,
  };
}

/**
 * Number of messages of the type that the plan still allows, with the sentence for when there are none left. Not
 * reserved: other requests may use them first. Null for an unlimited plan.
 */
export async function remainingQuota(
  { store, quota }: { store: Pick<MessageStores, 'usage'>; quota: Pick<QuotaCheck, 'limits'> },
  scope: Scope,
  { plan, type, now }: { plan: string; type: MessageType; now: number },
): Promise<{ left: number; message: string } | null> {
  const limits = quota.limits(scope, plan);
  if (limits === null) return null;
  const used = await store.usage.ofOrganization(scope.organizationId, usageDays(now));
  const remaining = remainingSends(limits, used, type, now);
  return remaining && { left: remaining.left, message: describeLimit(remaining) };
}
