// Builds the dashboard into dist/: index.html and files whose names hold their hash.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const SOURCES = ['src', '../sdk/src'];

/** Every file that the dashboard is made of. */
export function dashboardFiles() {
  const sources = SOURCES.flatMap((folder) =>
    readdirSync(join(FOLDER, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const own = ['index.html', 'package.json', 'vite.config.js', 'build.js', '../cli/src/operations.ts'];
  return [...own.map((name) => join(FOLDER, name)), ...sources];
}

/** Resolves to the files that went into it, those of packages too. */
export async function buildDashboard() {
  const { output } = await build({ configFile: join(FOLDER, 'vite.config.js'), logLevel: 'warn' });
  const bundled = output
    .flatMap(({ modules = {} }) => Object.keys(modules))
    .map((id) => id.replace(/\?.*$/, ''));
  return [...dashboardFiles(), ...bundled.filter((id) => id.includes('/node_modules/') && existsSync(id))];
}

if (process.argv[1] === import.meta.filename) await buildDashboard();
