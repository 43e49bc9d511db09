// Live figures for the operator's dashboard. Mail is counted only while someone asks.
import type { Clock } from '../lib/runtime/index.js';
import type { AttemptDetail } from '../messages/attempt.schema.js';
import { plansCommitted } from '../database/committed.js';
import type { Plan } from '../database/change.js';
import { acceptMessage } from '../messages/accept/accept.store.js';
import { recordAttempt } from '../messages/message-changes.store.js';

/** Time (ms) after the last question when counting ends. */
const KEPT_MS = 30_000;

interface MailCounts {
  /** Epoch ms. */
  since: number;
  accepted: number;
  delivered: number;
  deferred: number;
  bounced: number;
}

/** Counts live mail of every workspace from the first question on. */
export function createMailCounter({
  clock,
  commits = plansCommitted,
}: {
  clock: Clock;
  commits?: typeof plansCommitted;
}): () => MailCounts {
  let counts: MailCounts | null = null;
  let askedAt = 0;
  let stop: () => void = () => undefined;

  function count(plans: readonly Plan[]): void {
    if (counts === null || clock() - askedAt > KEPT_MS) {
      stop();
      counts = null;
      return;
    }
    for (const change of plans.flat()) {
      if (acceptMessage.is(change)) {
        if (change.message.mode === 'live' && change.message.queue !== null) counts.accepted += 1;
      } else if (recordAttempt.is(change) && change.about?.mode === 'live') {
        const { outcome } = JSON.parse(change.detail) as AttemptDetail;
        if (outcome === 'delivered' || outcome === 'deferred' || outcome === 'bounced') counts[outcome] += 1;
      }
    }
  }

  return () => {
    askedAt = clock();
    if (counts === null) {
      counts = { since: askedAt, accepted: 0, delivered: 0, deferred: 0, bounced: 0 };
      stop = commits.subscribe(count);
    }
    return { ...counts };
  };
}
