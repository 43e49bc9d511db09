// Installs Debian packages that a system test needs if they are missing and the machine permits it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export interface PackageNeed {
  packages: readonly string[];
  /** Whether the packages' content is installed. */
  isThere: () => boolean;
  /** Answers to the packages' questions, as debconf-set-selections reads them. */
  debconf?: string;
}

const LOCK_WAIT = ['-o', 'DPkg::Lock::Timeout=120'];

/** Installs the packages if needed. Returns null if they are available, otherwise the reason. */
export function ensurePackages({ packages, isThere, debconf }: PackageNeed): string | null {
  if (isThere()) return null;
  const names = packages.join(', ');
  if (process.getuid?.() !== 0) return `needs ${names}, and root to install them`;
  if (!existsSync('/usr/bin/apt-get')) return `needs ${names}, on a Debian system`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (debconf !== undefined) spawnSync('debconf-set-selections', { input: debconf, env });
  const install = () => {
    const args = [...LOCK_WAIT, 'install', '-y', '--no-install-recommends', ...packages];
    return spawnSync('apt-get', args, { env, encoding: 'utf8' });
  };
  // The existing package lists usually suffice, and fetching them takes longer than the package.
  let installed = install();
  if (installed.status !== 0) {
    spawnSync('apt-get', [...LOCK_WAIT, 'update'], { env });
    installed = install();
  }
  if (installed.status !== 0) return `apt-get could not install ${names}: ${installed.stderr.trim()}`;
  return isThere() ? null : `${names} were installed, but what they bring does not start`;
}
