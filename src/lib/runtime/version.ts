// Reads the release from package.json, and its changes from CHANGELOG.md.
import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from './package-root.js';

let version: string | null = null;

/** Read once, because a start asks for it several times. */
export function productVersion(): string {
  version ??= readVersion();
  return version;
}

function readVersion(): string {
  const text = readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Returns `null` if the package has no change log. */
export function changeLog(): string | null {
  try {
    return readFileSync(new URL('CHANGELOG.md', PACKAGE_ROOT), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
