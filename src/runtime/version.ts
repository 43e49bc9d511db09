// The release, from package.json, which stands beside src/ and dist/ alike.
import { readFileSync } from 'node:fs';

export function posthornVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
