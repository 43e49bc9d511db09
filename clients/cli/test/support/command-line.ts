// Runs the command line in the test process, with its own configuration folder, streams and clock.
import { mkdtemp, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../src/run.js';
import type { World } from '../../src/world.js';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
  /** Parsed standard output, if it is JSON. */
  // the tests read many shapes
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
}

export interface Surroundings {
  /** Terminal width in columns; a pipe by default. */
  columns?: number;
  stdin?: string;
  env?: Record<string, string>;
  /** Answers to the prompts, in order. */
  answers?: (string | boolean)[];
  /** Called before each wait, with its milliseconds; the wait itself is short. */
  onWait?: (ms: number) => void | Promise<void>;
  signal?: AbortSignal;
  /** Called with all that was printed so far. */
  onOutput?: (stdout: string, stderr: string) => void;
  server?: World['runServer'];
}

export async function createCommandLine(env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-cli-'));

  async function run(args: readonly string[], around: Surroundings = {}): Promise<Ran> {
    const written = { stdout: '', stderr: '' };
    const output = (name: keyof typeof written, isTTY: boolean) => ({
      isTTY,
      ...(around.columns === undefined ? {} : { columns: around.columns }),
      write: (text: string | Uint8Array): void => {
        written[name] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
        around.onOutput?.(written.stdout, written.stderr);
      },
    });
    const isTerminal = around.columns !== undefined;
    const answers = [...(around.answers ?? [])];
    const next = () => {
      const answer = answers.shift();
      return answer === undefined ? Promise.reject(new Error('Nobody answers.')) : Promise.resolve(answer);
    };
    const world: World = {
      stdout: output('stdout', isTerminal),
      stderr: output('stderr', isTerminal),
      isInteractive: around.answers !== undefined,
      stdinLines: () => Readable.from((around.stdin ?? '').split('\n')),
      readStdin: () => Promise.resolve(Buffer.from(around.stdin ?? '')),
      env: { XDG_CONFIG_HOME: folder, NO_COLOR: '1', ...env, ...around.env },
      signal: around.signal ?? new AbortController().signal,
      sleep: async (ms) => {
        await around.onWait?.(ms);
        await new Promise((resolve) => setTimeout(resolve, Math.min(ms, 10)));
      },
      prompts: {
        text: () => next().then(String),
        secret: () => next().then(String),
        confirm: () => next().then(Boolean),
      },
      openBrowser: () => Promise.resolve(false),
      runServer: around.server ?? (() => Promise.resolve(null)),
    };
    const code = await runCommandLine(args, world);
    const isJson = /^[{[]/.test(written.stdout);
    return {
      code,
      ...written,
      get json() {
        return isJson ? (JSON.parse(written.stdout) as unknown) : null;
      },
    };
  }

  return { folder, run, close: () => rm(folder, { recursive: true, force: true }) };
}
