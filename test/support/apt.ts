// Debian packages that a system test needs: installed when they are missing and this machine lets us.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export interface PackageNeed {
  packages: readonly string[];
  /** Whether what the packages bring is there. */
  isThere: () => boolean;
  /** Answers to the packages' questions, as debconf-set-selections reads them. */
  debconf?: string;
}

const LOCK_WAIT = ['-o', 'DPkg::Lock::Timeout=120'];

/** Makes them available. Null when they are, else why not. */
export function ensurePackages({ packages, isThere, debconf }: PackageNeed): string | null {
  if (isThere()) return null;
  const names = packages.join(', ');
  if (process.getuid?.() !== 0) return `needs ${names}, and root to install them`;
  if (!existsSync('/usr/bin/apt-get')) return `needs ${names}, on a Debian system`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (debconf !== undefined) spawnSync('debconf-set-selections', { input: debconf, env });
  spawnSync('apt-get', [...LOCK_WAIT, 'update'], { env });
  const install = [...LOCK_WAIT, 'install', '-y', '--no-install-recommends', ...packages];
  const { status, stderr } = spawnSync('apt-get', install, { env, encoding: 'utf8' });
  if (status !== 0) return `apt-get could not install ${names}: ${stderr.trim()}`;
  return isThere() ? null : `${names} were installed, but what they bring does not start`;
}
