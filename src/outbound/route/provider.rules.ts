// Provider of a recipient's mail servers, recognised by the names of its MX hosts: config/providers.json.
import { canonicalHost } from '../../lib/dns-answers/index.js';
import { readOperatorData } from '../../lib/config/index.js';

const MAX_ENDINGS = 100;
const ENDING = /^(?=.{3,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,10}$/;

/** In rules for a provider, this name stands for hosts that belong to no provider. */
export const UNKNOWN_PROVIDER = 'unknown';

export interface Providers {
  names: ReadonlySet<string>;
  /** Endings of MX host names and whose they are. */
  byEnding: ReadonlyMap<string, string>;
}

/**
 * Reads config/providers.json: names, each with the suffixes of its MX host names. Throws DataProblems for invalid content, and for
 * a suffix of two providers.
 */
export function compileProviders(json: unknown): Providers {
  return readOperatorData('providers', (reader) => {
    const byEnding = new Map<string, string>();
    const fields = reader.fields(json, 'the file');
    for (const [key, value] of Object.entries(fields)) {
      const name = reader.name(key, `the name "${key.slice(0, 70)}"`);
      if (name === undefined) continue;
      if (name === UNKNOWN_PROVIDER) reader.problem(name, 'is reserved for hosts without a provider');
      const endings = reader.list(value, name, MAX_ENDINGS);
      if (endings.length === 0) reader.problem(name, 'must list at least one domain ending');
      endings.forEach((ending, i) => {
        const place = `${name}[${i}]`;
        if (typeof ending !== 'string' || !ENDING.test(ending)) {
          reader.problem(place, 'must be a lowercase domain with at least two labels');
        } else if (byEnding.has(ending)) {
          reader.problem(place, `is already used by ${String(byEnding.get(ending))}`);
        } else {
          byEnding.set(ending, name);
        }
      });
    }
    return { names: new Set(Object.keys(fields)), byEnding };
  });
}

/** Finds the provider that operates all MX hosts, by the longest matching suffix. Returns `null` for none or several. */
export function findProvider(mxHosts: readonly string[], providers: Providers): string | null {
  const [first, ...others] = mxHosts.map((host) => ownerOf(canonicalHost(host), providers));
  return first !== undefined && others.every((owner) => owner === first) ? first : null;
}

function ownerOf(host: string, { byEnding }: Providers): string | null {
  let rest = host;
  for (;;) {
    const owner = byEnding.get(rest);
    if (owner !== undefined) return owner;
    const dot = rest.indexOf('.');
    if (dot === -1) return null;
    rest = rest.slice(dot + 1);
  }
}
