// Circles of a sequence's steps: a branch may lead back, and whoever goes round must have waited before they get there again.
import type { FieldProblem } from '../contract/refusal.js';
import type { GivenStep } from './steps.rules.js';

const HOUR_MS = 3_600_000;

/** A path through steps, by their positions. */
interface Path {
  waitMs: number;
  places: readonly number[];
}

/**
 * The branches that close a circle in which the `wait` steps last less than `minWaitMs` together. What a branch waits for may
 * happen at once, so that its own time counts for nothing. The steps must have passed `stepProblems`; 0 allows every circle.
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
