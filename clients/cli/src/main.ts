// The `mailkeel` command: gives the commands the process, the terminal and this machine.
import { spawn } from 'node:child_process';
import { existsSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CommandError, EXIT } from './exit-code.js';
import { prompts } from './prompts.js';
import { endingOf, runCommandLine } from './run.js';
import type { World } from './world.js';

const OWN_VARIABLES = ['MAILKEEL_API_KEY', 'MAILKEEL_URL', 'MAILKEEL_PROFILE', 'MAILKEEL_SERVER_CLI'];

const { stdin, stdout, stderr } = process;
const args = process.argv.slice(2);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // On the second signal, exits without waiting for open work.
    if (interruption.signal.aborted) process.exit(EXIT.interrupted);
    interruption.abort();
  });
}
for (const stream of [stdout, stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `mailkeel … | head` has seen enough.
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok);
    const message = `Can't write output: ${error.message}.`;
    failAtOnce(new CommandError(EXIT.other, 'output_failed', message));
  });
}
// Reports unhandled rejections like other errors, without a stack trace.
process.on('uncaughtException', failAtOnce);
process.on('unhandledRejection', failAtOnce);

const env = { ...process.env };
// The SDK would read them automatically, even if another key was chosen.
delete process.env['MAILKEEL_API_KEY'];
delete process.env['MAILKEEL_URL'];

/** The server refuses settings that it does not know. */
const serverEnv = Object.fromEntries(Object.entries(env).filter(([name]) => !OWN_VARIABLES.includes(name)));

const world: World = {
  stdout,
  stderr,
  isInteractive: stdin.isTTY && stderr.isTTY,
  readStdin: () => buffer(stdin),
  stdinLines: () => createInterface({ input: stdin, signal: interruption.signal }),
  env,
  signal: interruption.signal,
  sleep,
  prompts,
  openBrowser,
  runServer,
};

process.exitCode = await runCommandLine(args, world);

function failAtOnce(error: unknown): never {
  const { exitCode, text } = endingOf(error, args, { stdout, signal: interruption.signal });
  try {
    // Does not use the stream, which may have failed and would not be waited for.
    writeSync(stderr.fd, text);
  } catch {
    // There is no output to write to; the exit code shows the failure.
  }
  process.exit(exitCode);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      interruption.signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    interruption.signal.addEventListener('abort', end);
  });
}

function openBrowser(url: string): Promise<boolean> {
  // The server provided the address, so only web pages are opened.
  if (!/^https?:\/\//.test(url)) return Promise.resolve(false);
  const hasScreen = process.platform !== 'linux' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
  if (!hasScreen) return Promise.resolve(false);
  const [command, ...before] = { darwin: ['open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] }[
    process.platform as string
  ] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(command ?? 'xdg-open', [...before, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

/** The server's command line beside this one, in the repository as in the image. */
function runServer(args: readonly string[]): Promise<number | null> {
  const script =
    env['MAILKEEL_SERVER_CLI'] ?? fileURLToPath(new URL('../../../dist/admin/main.js', import.meta.url));
  if (!existsSync(script)) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit', env: serverEnv });
    // A signal from the terminal reaches it as well, one from a supervisor does not.
    const forward = (): boolean => child.kill('SIGTERM');
    process.once('SIGTERM', forward);
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGTERM', forward);
      resolve(code ?? EXIT.interrupted);
    });
  });
}
