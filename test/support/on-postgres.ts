// Runs test files again with a PostgreSQL server for the programs that they start.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/** Runs `vitest run …` with the server at this URL; returns its output and its exit code. */
export function runOnPostgres(
  url: string,
  args: readonly string[],
  programsOn: 'PostgreSQL' | 'SQLite' = 'PostgreSQL',
): Promise<{ code: number | null; output: string }> {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  const settings = ['CI', 'TEST_BUILT_MODULES', 'TEST_SIZE'].filter(
    (name) => process.env[name] !== undefined,
  );
  const child = spawn(process.execPath, [VITEST, 'run', ...args], {
    env: {
      ...{ PATH, HOME, TMPDIR },
      ...Object.fromEntries(settings.map((name) => [name, process.env[name]])),
      TEST_POSTGRES_URL: url,
      TEST_PROGRAM_ON: programsOn,
      NO_COLOR: '1',
    },
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
