// Steps of a sequence: their types, ids and validation.
import type { BranchEvent } from '../contract/names.js';
import type { FieldProblem } from '../contract/refusal.js';

const HOUR_MS = 3_600_000;

interface WaitStep {
  id: string;
  type: 'wait';
  hours: number;
}
export interface SendStep {
  id: string;
  type: 'send';
  /** A template's slug or id. */
  template: string;
  /** Replaces the template's subject. */
  subject: string | null;
  variables: Readonly<Record<string, unknown>>;
}
export interface BranchStep {
  id: string;
  type: 'branch';
  event: BranchEvent;
  within_hours: number;
  /** Id of the next step if the event happens. */
  next_step_id: string;
}
interface ExitStep {
  id: string;
  type: 'exit';
}
/** The place of a removed step. Enrollments there continue with the next step. */
interface RemovedStep {
  id: string;
  type: 'removed';
}

type LiveStep = WaitStep | SendStep | BranchStep | ExitStep;
export type SequenceStep = LiveStep | RemovedStep;
/** A step in a request. Its id is generated if absent. */
export type GivenStep = {
  [S in LiveStep as S['type']]: Omit<S, 'id'> & { id?: string | undefined };
}[LiveStep['type']];

const STEP_ID = /^[a-z0-9_-]{1,40}$/;
const MADE_ID = /^step_([1-9][0-9]{0,8})$/;
/** Maximum number of removed steps that are remembered. The oldest are forgotten first. */
const MOST_REMOVED = 200;

/** Returns the problems of the steps. Each `path` starts with `steps`. */
export function stepProblems(steps: readonly GivenStep[]): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const ids = new Set<string>();
  steps.forEach(({ id }, i) => {
    if (id === undefined) return;
    if (!STEP_ID.test(id)) {
      problems.push({
        path: `steps.${i}.id`,
        message: 'must be 1 to 40 lowercase letters, digits, - or _',
      });
    } else if (ids.has(id)) {
      problems.push({ path: `steps.${i}.id`, message: 'another step already has this id' });
    }
    ids.add(id);
  });
  steps.forEach((step, i) => {
    if (step.type !== 'branch' || ids.has(step.next_step_id)) return;
    const message = 'must be the ID of a step in this request';
    problems.push({ path: `steps.${i}.next_step_id`, message });
  });
  return problems;
}

/**
 * Adds ids to the steps, and keeps the positions of removed steps between them, so that enrollments at a removed step continue with
 * the following step if that still exists. A generated id is never reused.
 */
export function placeSteps(given: readonly GivenStep[], before: readonly SequenceStep[]): SequenceStep[] {
  const live = withIds(given, before);
  const kept = new Set(live.map((step) => step.id));
  const removed = before.filter((step) => !kept.has(step.id));
  const stays = new Set(removed.slice(-MOST_REMOVED).map((step) => step.id));
  /** Removed ids by the step that follows them; `null` for the end. */
  const places = new Map<string | null, RemovedStep[]>();
  let following: string | null = null;
  for (const step of before.toReversed()) {
    if (kept.has(step.id)) following = step.id;
    else if (stays.has(step.id)) {
      places.set(following, [{ id: step.id, type: 'removed' }, ...(places.get(following) ?? [])]);
    }
  }
  return [...live.flatMap((step) => [...(places.get(step.id) ?? []), step]), ...(places.get(null) ?? [])];
}

/** Returns the steps without removed ones. */
export function liveSteps(steps: readonly SequenceStep[]): LiveStep[] {
  return steps.filter((step) => step.type !== 'removed');
}

function withIds(given: readonly GivenStep[], before: readonly SequenceStep[]): LiveStep[] {
  const known = [...given.map(({ id }) => id), ...before.map(({ id }) => id)];
  let last = known.reduce((most, id) => Math.max(most, Number(MADE_ID.exec(id ?? '')?.[1] ?? 0)), 0);
  return given.map((step): LiveStep => ({ ...step, id: step.id ?? `step_${++last}` }));
}

/** A path through steps, by their positions. */
interface Path {
  waitMs: number;
  places: readonly number[];
}

/**
 * Returns the branches that close a loop whose `wait` steps take less than `minWaitMs` together. The time of a branch does not
 * count, because its event may occur immediately. The steps must have passed `stepProblems`. With 0, every loop is allowed.
 */
export function circleProblems(steps: readonly GivenStep[], minWaitMs: number): FieldProblem[] {
  return steps.flatMap((step, i) => {
    if (step.type !== 'branch') return [];
    const start = steps.findIndex(({ id }) => id === step.next_step_id);
    const circle = shortestPath(steps, start, i);
    if (circle === null || circle.waitMs >= minWaitMs) return [];
    const names = circle.places.map((place) => steps[place]?.id ?? `steps.${place}`).join(', ');
    const needed = `wait steps of at least ${hours(minWaitMs)} in total`;
    const message = `closes the loop ${names}, which only waits ${hours(circle.waitMs)}. Add ${needed}`;
    return [{ path: `steps.${i}.next_step_id`, message }];
  });
}

/** Returns the path between two steps with the shortest waiting time, or `null`. */
function shortestPath(steps: readonly GivenStep[], start: number, end: number): Path | null {
  const open = new Map<number, Path>([[start, { waitMs: 0, places: [start] }]]);
  const done = new Set<number>();
  for (;;) {
    const [nearest] = [...open].sort(([, a], [, b]) => a.waitMs - b.waitMs);
    if (!nearest) return null;
    const [place, path] = nearest;
    if (place === end) return path;
    open.delete(place);
    done.add(place);
    const step = steps[place];
    const waitMs = path.waitMs + (step?.type === 'wait' ? Math.round(step.hours * HOUR_MS) : 0);
    for (const next of nextPlaces(steps, place)) {
      const known = open.get(next);
      if (done.has(next) || (known && known.waitMs <= waitMs)) continue;
      open.set(next, { waitMs, places: [...path.places, next] });
    }
  }
}

function nextPlaces(steps: readonly GivenStep[], place: number): number[] {
  const step = steps[place];
  if (!step || step.type === 'exit') return [];
  const following = place + 1 < steps.length ? [place + 1] : [];
  return step.type === 'branch'
    ? [...following, steps.findIndex(({ id }) => id === step.next_step_id)]
    : following;
}

function hours(milliseconds: number): string {
  const count = Math.round((milliseconds / HOUR_MS) * 10_000) / 10_000;
  return count === 1 ? '1 hour' : `${count} hours`;
}
