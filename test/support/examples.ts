// Runs the programs of examples/ as their users do: compiled separately, with their packages, in their own process.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Finished } from './appliance.js';

/** Inside the repository, where packages resolve by name. */
const FOLDER = join(process.cwd(), 'node_modules/.cache/examples');

/** Compiles a file of examples/; returns the module to run or import. */
export async function buildExample(file: string): Promise<string> {
  const outfile = join(FOLDER, file.replace(/\.tsx?$/, '.mjs'));
  await build({
    entryPoints: [join(process.cwd(), 'examples', file)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // Without the paths of examples/tsconfig.json, so that the SDK is the built package, as for users.
    tsconfigRaw: { compilerOptions: { jsx: 'react-jsx' } },
    logLevel: 'warning',
  });
  return outfile;
}

export interface RunningExample {
  /** The output on stdout and stderr so far. */
  written: { stdout: string; stderr: string };
  finished: Promise<Finished>;
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<Finished>;
}

/** Runs a compiled example with this environment and nothing else of this process except the path. */
export function startExample(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
): RunningExample {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes: Buffer) => (written.stdout += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (written.stderr += bytes.toString()));
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...written }));
  });
  return {
    written,
    finished,
    end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return finished;
    },
  };
}
