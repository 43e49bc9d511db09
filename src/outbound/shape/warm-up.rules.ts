// Warm-up: number of messages that a new source may send to a provider. The cap per UTC day grows with the days that it has
// sent on, in hourly slices, transactional mail first.
import { BULK_RANK } from '../../messages/queue-rank.rules.js';

const HOUR_MS = 3_600_000;
const HOURS = 24;
const DAY_MS = HOURS * HOUR_MS;
/** Growth pauses after a day with a larger share of deferrals or complaints than this, of at least so many messages. */
const MAX_DEFERRED_SHARE = 0.05;
const MAX_COMPLAINED_SHARE = 0.001;
const MIN_SAMPLE = 20;
/** One hour uses at most this part of the day's cap, even if earlier hours used less. */
const MAX_HOUR_SHARE = 1 / 8;
/** The end of a slice, which only transactional mail may use until the hour is over. */
const RESERVED_SHARE = 0.2;
export interface WarmUpPlan {
  /** Messages on the first, second... day, integers of at least 1. After the last day, there is no cap. */
  dailyCaps: readonly number[];
}

/** Four weeks. Early steps are short; later ones last three days, since a receiver's doubts show with delay. */
export const DEFAULT_WARM_UP: WarmUpPlan = {
  dailyCaps: [
    ...[50, 100, 100, 200, 200, 400, 400],
    ...[800, 1_500, 3_000, 6_000, 12_000, 25_000, 50_000].flatMap((cap) => [cap, cap, cap]),
  ],
};

/** State of one source and provider. JSON-serializable. */
export interface WarmUpState {
  /** Days of the plan that are done. */
  stage: number;
  /** Days since the epoch, UTC; the counts are of it. */
  day: number;
  sends: number;
  deferred: number;
  complained: number;
  /** Hours since the epoch, and the sends in it. */
  hour: number;
  hourSends: number;
}

/** `unsent` undoes a send that was not attempted. */
export type WarmUpEvent = 'sent' | 'unsent' | 'deferred' | 'complained';

/** The state before the first message. Days since `startedAt` (epoch ms) count as done: the source was warmed elsewhere. */
export function firstWarmUp({ startedAt, now }: { startedAt: number; now: number }): WarmUpState {
  const [day, hour] = [Math.floor(now / DAY_MS), Math.floor(now / HOUR_MS)];
  const stage = Math.max(0, day - Math.floor(startedAt / DAY_MS));
  return { stage, day, sends: 0, deferred: 0, complained: 0, hour, hourSends: 0 };
}

/** Whether the day's answers are such that the next day gets the same cap again. */
function isHeld({ sends, deferred, complained }: WarmUpState): boolean {
  if (sends < MIN_SAMPLE) return false;
  return deferred > sends * MAX_DEFERRED_SHARE || complained > sends * MAX_COMPLAINED_SHARE;
}

/** Returns the state at `now` with the count of this day. A day without sends does not count as a day of the plan. */
export function warmUpToday(state: WarmUpState, now: number): WarmUpState {
  const [day, hour] = [Math.floor(now / DAY_MS), Math.floor(now / HOUR_MS)];
  if (hour === state.hour) return state;
  if (day === state.day) return { ...state, hour, hourSends: 0 };
  const isDone = day > state.day && state.sends > 0 && !isHeld(state);
  const stage = state.stage + (isDone ? 1 : 0);
  return { stage, day, sends: 0, deferred: 0, complained: 0, hour, hourSends: 0 };
}

/**
 * Progress of the plan: completed days, the cap of this UTC day (`null` once warmed up), and whether tomorrow's cap stays the same
 * because of today's replies.
 */
export function warmUpStage(
  state: WarmUpState,
  plan: WarmUpPlan,
  now: number,
): { stage: number; cap: number | null; isHeld: boolean } {
  const today = warmUpToday(state, now);
  return { stage: today.stage, cap: plan.dailyCaps[today.stage] ?? null, isHeld: isHeld(today) };
}

/**
 * Messages of this rank that may go now (Infinity once warmed up); without room, the hour (epoch ms) at which to ask
 * again. The rest may go by another source.
 */
export function warmUpRoom(
  state: WarmUpState,
  plan: WarmUpPlan,
  { now, rank }: { now: number; rank: number },
): { room: number } | { room: 0; until: number } {
  const today = warmUpToday(state, now);
  const cap = plan.dailyCaps[today.stage];
  if (cap === undefined) return { room: Infinity };
  const slice = cap / HOURS;
  const reserved = rank >= BULK_RANK ? Math.min(Math.ceil(slice * RESERVED_SHARE), cap - 1) : 0;
  const earned = (hourOfDay: number): number => Math.ceil((cap * (hourOfDay + 1)) / HOURS) - reserved;
  const hourMax = Math.max(2, Math.ceil(cap * MAX_HOUR_SHARE)) - reserved;
  const hourOfDay = today.hour - today.day * HOURS;
  const room = Math.min(earned(hourOfDay) - today.sends, hourMax - today.hourSends);
  if (room > 0) return { room };
  let next = hourOfDay + 1;
  while (next < HOURS && earned(next) <= today.sends) next += 1;
  return { room: 0, until: today.day * DAY_MS + next * HOUR_MS };
}

/**
 * Returns the state after `n` such events. Sends are counted when they are permitted, so two callers cannot use the same capacity.
 */
export function warmUpCounted(state: WarmUpState, event: WarmUpEvent, now: number, n = 1): WarmUpState {
  const today = warmUpToday(state, now);
  const { sends, hourSends } = today;
  switch (event) {
    case 'sent':
      return { ...today, sends: sends + n, hourSends: hourSends + n };
    case 'unsent':
      return { ...today, sends: Math.max(0, sends - n), hourSends: Math.max(0, hourSends - n) };
    case 'deferred':
      return { ...today, deferred: today.deferred + n };
    case 'complained':
      return { ...today, complained: today.complained + n };
  }
}
