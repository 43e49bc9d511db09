// The rule data that is shipped in config/ beside the program.
import { readFileSync } from 'node:fs';

export type ShippedFile =
  | 'machine-clients'
  | 'plans'
  | 'providers'
  | 'bounce-rules'
  | 'dsn-rules'
  | 'reply-rules'
  | 'shaping'
  | 'simulator';

/** The parsed content of config/<name>.json; the rules check it when they compile it. */
export function readShipped(name: ShippedFile): unknown {
  // src/runtime/config and dist/runtime/config are equally deep.
  const url = new URL(`../../../config/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as unknown;
}
