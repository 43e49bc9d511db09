// A plan ends because a row is missing or exists already.
import { Refusal } from '../contract/refusal.js';
import type { Otherwise } from './plan.js';

/** Throws the refusal that the change names; the whole plan is undone. */
export function refuse(otherwise: Otherwise): never {
  throw new Refusal(
    otherwise.code,
    otherwise.message,
    otherwise.param === undefined ? {} : { param: otherwise.param },
  );
}
