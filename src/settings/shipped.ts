// Loads the rule data in config/ that is shipped with the program. A release's files do not change, so each is read and
// compiled once per process.
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

/** Returns the parsed content of config/<name>.json, frozen. The rules validate it when they compile it. */
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

/** Compiles config/<name>.json with `context`. Returns the same object again for the same arguments. */
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

/** Makes these files be read again when next needed. The returned function restores the previous content. */
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
