// Run by npm when everything is installed: compiles SQLite's library for a Node that the packed binary does not run on. npm 11 cannot
// do it: a script is allowed by name and version, and the lock file names no addresses that the version could be read from. npm 10
// has done it by now.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../../node_modules/better-sqlite3-12', import.meta.url));
// Node-API 10 is what the packed binary is written for.
const isNeeded = Number(process.versions.napi) < 10;
if (isNeeded && existsSync(folder) && !loads()) {
  const { status } = spawnSync('npm', ['run', 'install'], { cwd: folder, stdio: 'inherit', shell: true });
  if (status !== 0 || !loads()) {
    console.error(
      '\nSQLite could not be compiled for this release of Node: install python3, make and g++, or Node 24, and run npm ci again.',
    );
    process.exit(1);
  }
}

function loads() {
  try {
    const Database = createRequire(import.meta.url)(folder);
    new Database(':memory:').close();
    return true;
  } catch {
    return false;
  }
}
