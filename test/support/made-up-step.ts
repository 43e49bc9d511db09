// A migration after all others, for tests of upgrades.
import { sql } from 'kysely';
import { STEPS, type Step } from '../../src/database/migrations/steps.js';

export const MADE_UP: Step = {
  name: '9998-made-up',
  does: 'Adds a made-up table.',
  up: async (db) => {
    await sql`CREATE TABLE made_up (a INTEGER)`.execute(db);
    await sql`CREATE TABLE made_up_too (a INTEGER)`.execute(db);
  },
};

/** Turns the program with these steps into a release that knows another one, until the returned function is called. */
export function addStep(step: Step = MADE_UP, steps = STEPS): () => void {
  steps.push(step);
  return () => void steps.splice(steps.indexOf(step), 1);
}

/** Runs `work` as the release that knows the step. */
export async function withStep<T>(work: () => Promise<T>, step: Step = MADE_UP): Promise<T> {
  const remove = addStep(step);
  try {
    return await work();
  } finally {
    remove();
  }
}
