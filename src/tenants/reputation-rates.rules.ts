// Complaint and bounce rates of a sub-tenant.
import { share } from '../contract/rates.js';

/** Counts of a sub-tenant's mail. */
export interface ReputationSums {
  sent: number;
  delivered: number;
  bounced: number;
  complained: number;
}

interface ReputationRates {
  /** Complaints of delivered messages; null when nothing was delivered. */
  complaint: number | null;
  /** Bounces of sent messages; null when nothing was sent. */
  bounce: number | null;
}

/** Shares, rounded to six places. */
export function reputationRates({ sent, delivered, bounced, complained }: ReputationSums): ReputationRates {
  return { complaint: share(complained, delivered), bounce: share(bounced, sent) };
}
