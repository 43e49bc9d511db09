// Removes messages of each workspace when their retention ends, a few per commit, with pauses in which others write. After a
// crash, the next run resumes from the cursor. Messages still in progress when the cursor passes are recorded for a later run.
import { setTimeout as pause } from 'node:timers/promises';
import {
  retentionCutoff,
  decideRetention,
  retentionTerms,
  type Retention,
  type RetentionTerms,
} from './retention.rules.js';
import type { Config } from '../../settings/settings.js';
import type { OperationContext } from '../context.js';
import type { OperationStores } from '../stores.js';
import type { RetentionDecision } from './forget-messages.store.js';
import type { RetentionProgress } from './retention.store.js';

/** Messages per commit, which takes a few milliseconds. */
const BATCH = 40;
const RECIPIENTS = 200;
const CAMPAIGNS = 50;
/** Pause (ms) in which others can read and write. */
const PAUSE_MS = 10;
const AGAIN_MS = 3_600_000;

type RetentionContext = Pick<OperationContext, 'clock'> & {
  store: Pick<OperationStores, 'retention'>;
  /** Terms of workspaces without their own. */
  config: Pick<Config, 'retentionDays' | 'retentionMode' | 'unsubscribeKeepMs'>;
};

/** Removes every message whose retention has ended, until `signal` aborts. Returns their number. */
export async function forgetOldMessages(context: RetentionContext, signal?: AbortSignal): Promise<number> {
  const { retention } = context.store;
  const { retentionDays: days, retentionMode: mode } = context.config;
  let forgotten = 0;
  let open: Task[] = (await retention.places()).flatMap((place) => {
    const terms = retentionTerms(place, { days, mode });
    return terms.days === 0 ? [] : [{ place, terms, isLeft: true }];
  });
  for (const { place, terms } of open) await forgetRecipients(context, { place, terms }, signal);
  // Takes turns, so that a workspace with many old messages does not delay the others.
  while (open.length > 0 && !signal?.aborted) {
    const next: Task[] = [];
    for (const task of open) {
      if (signal?.aborted) break;
      const step = await (task.isLeft ? forgetLeft(context, task) : forgetNext(context, task));
      forgotten += step.forgotten;
      if (step.next) next.push(step.next);
      if (step.forgotten > 0) await pause(PAUSE_MS);
    }
    open = next;
  }
  return forgotten;
}

/** An environment that may have more old messages. */
interface Task {
  place: RetentionProgress;
  terms: RetentionTerms;
  /** Messages that an earlier run postponed come first. */
  isLeft: boolean;
}

interface Step {
  forgotten: number;
  /** `null` if nothing is left for now. */
  next: Task | null;
}

async function forgetNext(
  { store: { retention }, clock, config }: RetentionContext,
  { place, terms }: Task,
): Promise<Step> {
  const now = clock();
  // After a change from `redact` to `delete`, every message is read again.
  const isNewMode = terms.mode === 'delete' && place.doneMode === 'redact';
  const after = isNewMode ? 0 : place.doneUpTo;
  const messages = await retention.nextMessages(place.environmentId, after, BATCH);
  const decisions = messages.map((message): RetentionDecision => ({
    id: message.id,
    retention: decideRetention(message, terms, { now, unsubscribeKeepMs: config.unsubscribeKeepMs }),
  }));
  // Messages may be out of order if a clock was set or acceptance took long.
  const passed = decisions.slice(
    0,
    decisions.findLastIndex(({ retention: { kind } }) => kind !== 'keep') + 1,
  );
  const last = passed.at(-1);
  if (!last) return { forgotten: 0, next: null };
  const cursor = { doneUpTo: last.id, doneMode: terms.mode };
  const request = { place, decisions: passed, cursor, now, againAt: now + AGAIN_MS };
  const forgotten = await retention.forget(request);
  const isEnd = passed.length < BATCH;
  return { forgotten, next: isEnd ? null : { place: { ...place, ...cursor }, terms, isLeft: false } };
}

/** Removes messages that an earlier run postponed and that are due now. */
async function forgetLeft(
  { store: { retention }, clock, config }: RetentionContext,
  { place, terms }: Task,
): Promise<Step> {
  const now = clock();
  const { unsubscribeKeepMs } = config;
  const left = await retention.leftMessages(place.environmentId, now, BATCH);
  if (left.length === 0) return { forgotten: 0, next: { place, terms, isLeft: false } };
  const decisions = left.map(({ id, message }): RetentionDecision => {
    const gone: Retention = { kind: terms.mode };
    return { id, retention: message ? decideRetention(message, terms, { now, unsubscribeKeepMs }) : gone };
  });
  const request = { place, decisions, cursor: null, now, againAt: now + AGAIN_MS };
  const forgotten = await retention.forget(request);
  return { forgotten, next: { place, terms, isLeft: left.length === BATCH } };
}

async function forgetRecipients(
  { store: { retention }, clock }: RetentionContext,
  { place, terms }: Pick<Task, 'place' | 'terms'>,
  signal?: AbortSignal,
): Promise<void> {
  const before = retentionCutoff(terms, clock());
  for (const id of await retention.oldCampaigns(place.environmentId, before, CAMPAIGNS)) {
    for (let after: number | null = 0; after !== null && !signal?.aborted;) {
      after = await retention.forgetRecipients(id, { after, limit: RECIPIENTS, now: clock() });
      await pause(PAUSE_MS);
    }
  }
}
