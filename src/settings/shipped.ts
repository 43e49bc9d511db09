// The rule data that is shipped in config/ beside the program. The files of a release do not change, so that each is read, and
// compiled, once a process.
import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../lib/runtime/index.js';

export type ShippedFile =
  | 'machine-clients'
  | 'plans'
  | 'providers'
  | 'bounce-rules'
  | 'dsn-rules'
  | 'reply-rules'
  | 'shaping'
  | 'simulator';

const parsed = new Map<ShippedFile, unknown>();
const compiled = new Map<ShippedFile, { compile: unknown; context: readonly unknown[]; made: unknown }>();

/** The parsed content of config/<name>.json, frozen; the rules check it when they compile it. */
export function readShipped(name: ShippedFile): unknown {
  if (!parsed.has(name)) {
    const text = readFileSync(new URL(`config/${name}.json`, PACKAGE_ROOT), 'utf8');
    parsed.set(
      name,
      JSON.parse(text, (_key, value: unknown) => Object.freeze(value)),
    );
  }
  return parsed.get(name);
}

/** Compiles config/<name>.json with `context`; gives the same object as before when both are the same. */
export function compileShipped<T, Context extends unknown[]>(
  name: ShippedFile,
  compile: (json: unknown, ...context: Context) => T,
  ...context: Context
): T {
  const known = compiled.get(name);
  if (known?.compile === compile && known.context.every((value, i) => value === context[i]))
    return known.made as T;
  const made = compile(readShipped(name), ...context);
  compiled.set(name, { compile, context, made });
  return made;
}

/** These files are read again when they are asked for. The returned function brings back what was known of them. */
export function forgetShipped(names: readonly ShippedFile[]): () => void {
  const known = names.map((name) => ({ name, json: parsed.get(name), rules: compiled.get(name) }));
  for (const name of names) {
    parsed.delete(name);
    compiled.delete(name);
  }
  return () => {
    for (const { name, json, rules } of known) {
      if (json !== undefined) parsed.set(name, json);
      if (rules !== undefined) compiled.set(name, rules);
    }
  };
}
