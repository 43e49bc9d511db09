// The rule data that is shipped in config/ beside the program.
import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../lib/runtime/package-root.js';

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
  const url = new URL(`config/${name}.json`, PACKAGE_ROOT);
  return JSON.parse(readFileSync(url, 'utf8')) as unknown;
}
