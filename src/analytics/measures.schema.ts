// Measures of mail: the closed set.

export const MEASURES = [
  'queued',
  'sent',
  'delivered',
  'deferred',
  'opened',
  'clicked',
  'opens',
  'clicks',
  'machine_opened',
  'machine_clicked',
  'machine_opens',
  'machine_clicks',
  'bounced',
  'hard_bounced',
  'complained',
  'unsubscribed',
  'replied',
  'failed',
  'suppressed',
  'canceled',
] as const;
export type Measure = (typeof MEASURES)[number];

/** Sums by measure; what never happened is 0. */
export type Sums = Record<Measure, number>;

/** All measures at 0. */
export function noSums(): Sums {
  return Object.fromEntries(MEASURES.map((measure) => [measure, 0])) as Sums;
}
