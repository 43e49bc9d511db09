// Forgets the messages of each workspace when their time is over, a few in one commit, with pauses in which others write.
// What a crash interrupts goes on from the cursor; whoever is not finished yet when the cursor passes is left a note of.
import { setTimeout as pause } from 'node:timers/promises';
import {
  retentionCutoff,
  retentionOf,
  retentionTerms,
  type Retention,
  type RetentionTerms,
} from './retention.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { RetentionDecision } from './forget-messages.store.js';
import type { RetentionPlace, RetentionStore } from './retention.store.js';

/** Messages of one commit: a few milliseconds. */
const BATCH = 40;
const RECIPIENTS = 200;
const CAMPAIGNS = 50;
/** Others write, and read, in between. */
const PAUSE_MS = 10;
const AGAIN_MS = 3_600_000;

export interface OldMessagesDeps {
  store: RetentionStore;
  clock: Clock;
  settings: {
    /** Of workspaces that say nothing. */
    retentionDays: number;
    retentionMode: RetentionTerms['mode'];
    /** Minimum time (ms) that mail with a link to unsubscribe keeps its recipient. */
    unsubscribeKeepMs: number;
  };
}

export interface OldMessages {
  /** Forgets everything whose time is over, unless it is stopped. Answers how many messages were forgotten. */
  run(signal?: AbortSignal): Promise<number>;
}

export function createOldMessages({ store, clock, settings }: OldMessagesDeps): OldMessages {
  const appliance: RetentionTerms = { days: settings.retentionDays, mode: settings.retentionMode };

  /** Messages that come next. True when there may be more. */
  async function forgetNext(place: RetentionPlace, terms: RetentionTerms): Promise<Step> {
    const now = clock();
    // Where they were only redacted, they are gone through once more.
    const isNewMode = terms.mode === 'delete' && place.doneMode === 'redact';
    const after = isNewMode ? 0 : place.doneUpTo;
    const messages = await store.nextMessages(place.environmentId, after, BATCH);
    const decisions = messages.map((message): RetentionDecision => ({
      id: message.id,
      retention: retentionOf(message, terms, { now, unsubscribeKeepMs: settings.unsubscribeKeepMs }),
    }));
    // Younger ones may lie before older ones, where a clock was set or a mail had to wait for its acceptance.
    const passed = decisions.slice(
      0,
      decisions.findLastIndex(({ retention }) => retention.kind !== 'keep') + 1,
    );
    const last = passed.at(-1);
    if (!last) return { forgotten: 0, place: null };
    const cursor = { doneUpTo: last.id, doneMode: terms.mode };
    const request = { place, decisions: passed, cursor, now, againAt: now + AGAIN_MS };
    const forgotten = await store.forget(request);
    const isEnd = passed.length < BATCH;
    return { forgotten, place: isEnd ? null : { ...place, ...cursor } };
  }

  /** Messages that were left, and are due. True when there may be more. */
  async function forgetLeft(
    place: RetentionPlace,
    terms: RetentionTerms,
  ): Promise<{ forgotten: number; isMore: boolean }> {
    const now = clock();
    const left = await store.leftMessages(place.environmentId, now, BATCH);
    if (left.length === 0) return { forgotten: 0, isMore: false };
    const decisions = left.map(({ id, message }): RetentionDecision => {
      const gone: Retention = { kind: terms.mode };
      const { unsubscribeKeepMs } = settings;
      return { id, retention: message ? retentionOf(message, terms, { now, unsubscribeKeepMs }) : gone };
    });
    const request = { place, decisions, cursor: null, now, againAt: now + AGAIN_MS };
    return { forgotten: await store.forget(request), isMore: left.length === BATCH };
  }

  async function forgetRecipients(
    place: RetentionPlace,
    terms: RetentionTerms,
    signal?: AbortSignal,
  ): Promise<void> {
    const before = retentionCutoff(terms, clock());
    for (const id of await store.oldCampaigns(place.environmentId, before, CAMPAIGNS)) {
      for (let after: number | null = 0; after !== null && !signal?.aborted;) {
        after = await store.forgetRecipients(id, { after, limit: RECIPIENTS, now: clock() });
        await pause(PAUSE_MS);
      }
    }
  }

  return {
    async run(signal) {
      let forgotten = 0;
      let open: Task[] = (await store.places()).flatMap((place) => {
        const terms = retentionTerms(place, appliance);
        return terms.days === 0 ? [] : [{ place, terms, isLeft: true }];
      });
      for (const { place, terms } of open) await forgetRecipients(place, terms, signal);
      // In turns: one with much to forget does not make the others wait.
      while (open.length > 0 && !signal?.aborted) {
        const next: Task[] = [];
        for (const task of open) {
          if (signal?.aborted) break;
          const { place, terms } = task;
          const step = task.isLeft ? await forgetLeft(place, terms) : await forgetNext(place, terms);
          forgotten += step.forgotten;
          if ('isMore' in step) next.push({ place, terms, isLeft: step.isMore });
          else if (step.place) next.push({ place: step.place, terms, isLeft: false });
          if (step.forgotten > 0) await pause(PAUSE_MS);
        }
        open = next;
      }
      return forgotten;
    },
  };
}

interface Step {
  forgotten: number;
  /** Where to go on; null: nowhere, for now. */
  place: RetentionPlace | null;
}

interface Task {
  place: RetentionPlace;
  terms: RetentionTerms;
  /** First those that were left before. */
  isLeft: boolean;
}
