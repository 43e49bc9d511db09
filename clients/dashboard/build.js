// Builds the dashboard into dist/: index.html and files whose names hold their hash.
import { readdirSync } from 'node:fs';
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

export async function buildDashboard() {
  await build({ configFile: join(FOLDER, 'vite.config.js'), logLevel: 'warn' });
  return dashboardFiles();
}

if (process.argv[1] === import.meta.filename) await buildDashboard();
