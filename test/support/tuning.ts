// The constants of the program that tests shorten, as environment variables (src/settings/tuning.ts).
import type { Tuning } from '../../src/settings/tuning.js';

type Environment = Readonly<Record<string, string>>;
const NAME = 'MAILKEEL_TUNING';

/** Sets these constants instead of the program's own; times in milliseconds. */
export function tuned(values: Partial<Tuning>): Record<typeof NAME, string> {
  return { [NAME]: JSON.stringify(values) };
}

/** Merges environments, later ones first, with the changed constants of all of them. */
export function layered(...environments: readonly (Environment | undefined)[]): Record<string, string> {
  const changes = environments.flatMap((env) => env?.[NAME] ?? []);
  const merged = Object.assign({}, ...environments) as Record<string, string>;
  if (changes.length === 0) return merged;
  const values = changes.map((text) => JSON.parse(text) as Partial<Tuning>);
  return { ...merged, ...tuned(Object.assign({}, ...values) as Partial<Tuning>) };
}
