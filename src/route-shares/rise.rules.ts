// Decides whether a share rises, stays or is lowered, from the bounces and complaints of its direct mail.
import { share as rateOf } from '../contract/rates.js';
import type { RisePlan } from '../outbound/route/egress.rules.js';
import type { RouteShareRow } from '../outbound/outbound.tables.js';
import type { DirectCounts } from '../outbound/route/share.rules.js';
import { COMPLAINT_FAIL, COMPLAINT_WARN } from '../reputation/bulk-rules/provider-rules.rules.js';

/** Rates of direct mail below which a share may rise, and from which it is lowered. Providers publish no limit of bounces. */
export const RISE_BELOW = { bounce: 0.02, complaint: COMPLAINT_WARN } as const;
export const LOWER_FROM = { bounce: 0.05, complaint: COMPLAINT_FAIL } as const;
/** With fewer direct messages, the rates are not meaningful. */
export const MIN_SENT = 100;
/** A single complaint has no effect. */
const MIN_COMPLAINTS = 2;
/** Period (ms) whose mail is evaluated, starting at the last change at the earliest. */
export const JUDGED_MS = 7 * 86_400_000;

type ShareRate = 'bounce' | 'complaint';

export const RISE_WAITS = ['time', 'sample', 'bounces', 'complaints'] as const;
/** Reason why the share does not rise now. */
type RiseWait = (typeof RISE_WAITS)[number];

export type RiseDecision =
  | { kind: 'raise'; percent: number }
  | { kind: 'lower'; percent: number; rate: ShareRate; value: number }
  /** `waitsFor` is null if the share no longer rises, or is paused. */
  | { kind: 'keep'; waitsFor: RiseWait | null };

export type JudgedShare = Pick<RouteShareRow, 'percent' | 'state' | 'changed_at'>;

/** Computes complaints per message that did not bounce, because smarthosts do not report deliveries. */
export function complaintRate({ sent, bounced, complained }: DirectCounts): number | null {
  return rateOf(complained, Math.max(sent - bounced, 0));
}

/** Decides the next change of a share. `counts` covers the direct mail since the last change, within the evaluated period. */
export function decideRise(
  { percent, state, changed_at: changedAt }: JudgedShare,
  plan: RisePlan,
  counts: DirectCounts,
  now: number,
): RiseDecision {
  if (state !== 'active') return { kind: 'keep', waitsFor: null };
  const bounce = rateOf(counts.bounced, counts.sent) ?? 0;
  const complaint = counts.complained < MIN_COMPLAINTS ? 0 : (complaintRate(counts) ?? 0);
  if (counts.sent >= MIN_SENT && percent > 0) {
    const lower = { kind: 'lower', percent: Math.floor(percent / 2) } as const;
    if (bounce >= LOWER_FROM.bounce) return { ...lower, rate: 'bounce', value: bounce };
    if (complaint >= LOWER_FROM.complaint) return { ...lower, rate: 'complaint', value: complaint };
  }
  if (percent >= plan.until) return { kind: 'keep', waitsFor: null };
  if (now < changedAt + plan.everyMs) return { kind: 'keep', waitsFor: 'time' };
  // A share of 0 has no direct mail to judge.
  if (counts.sent < MIN_SENT && percent > 0) return { kind: 'keep', waitsFor: 'sample' };
  if (bounce >= RISE_BELOW.bounce) return { kind: 'keep', waitsFor: 'bounces' };
  if (complaint >= RISE_BELOW.complaint) return { kind: 'keep', waitsFor: 'complaints' };
  return { kind: 'raise', percent: Math.min(percent + plan.step, plan.until) };
}
