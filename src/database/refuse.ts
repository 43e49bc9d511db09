// Refuses a plan because a row is missing or exists already.
import { Refusal, type RefusalCode } from '../contract/refusal.js';

/** The refusal when a row is missing or exists already. */
export interface Otherwise {
  code: RefusalCode;
  message?: string;
  param?: string;
}

/** Throws the refusal that the change names, which rolls back the whole plan. */
export function refuse(otherwise: Otherwise): never {
  throw new Refusal(
    otherwise.code,
    otherwise.message,
    otherwise.param === undefined ? {} : { param: otherwise.param },
  );
}
