// Sums as every answer about statistics has them.
import { type AnalyticsWire, MEASURES, noSums, type Sums } from './analytics.schema.js';
import { computeRates } from './event-measures.rules.js';

/** Returns funnel, rates, bots and totals. */
export function presentFigures(totals: Sums): Pick<AnalyticsWire, 'funnel' | 'rates' | 'machine' | 'totals'> {
  const { queued, sent, delivered, opened, clicked } = totals;
  return {
    funnel: { queued, sent, delivered, opened, clicked },
    rates: computeRates(totals),
    machine: {
      opened: totals.machine_opened,
      clicked: totals.machine_clicked,
      opens: totals.machine_opens,
      clicks: totals.machine_clicks,
    },
    totals,
  };
}

export function addSums(parts: Iterable<Sums>): Sums {
  const total = noSums();
  for (const part of parts) for (const measure of MEASURES) total[measure] += part[measure];
  return total;
}
