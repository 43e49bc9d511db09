// Exchanges requests and replies between the benchmark and its helper processes, over the IPC channel of fork.
import { fork, type ChildProcess } from 'node:child_process';

interface Question {
  id: number;
  name: string;
  argument: unknown;
}

interface Answer {
  id: number;
  value?: unknown;
  error?: string;
}

const children = new Set<ChildProcess>();
let isListening = false;

/** Kills the child when the benchmark ends in any way, because a frozen child notices neither a signal nor its parent's end. */
export function killAtExit(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
  if (isListening) return;
  isListening = true;
  process.once('exit', () => {
    for (const each of children) each.kill('SIGKILL');
  });
}

export interface Helper {
  pid: number;
  /** Calls the handler `name` of the helper; rejects with its error, or if the helper ends. */
  ask(name: string, argument?: unknown): Promise<unknown>;
  /** Suspends the whole process. The kernel continues to accept its connections. */
  freeze(): void;
  thaw(): void;
  stop(): void;
}

/** Starts `file`, a module in this folder that calls `serveQuestions`. */
export function startHelper(file: string): Helper {
  const child: ChildProcess = fork(new URL(file, import.meta.url), { execArgv: [] });
  killAtExit(child);
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  child.on('message', (message) => {
    const answer = message as Answer;
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error === undefined) asker?.resolve(answer.value);
    else asker?.reject(new Error(`${file}: ${answer.error}`));
  });
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended: ${code ?? signal}`));
  });
  return {
    pid: child.pid ?? 0,
    ask(name, argument) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        child.send({ id, name, argument } satisfies Question);
      });
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop: () => void child.kill('SIGKILL'),
  };
}

/** The helper's side: answers calls until the benchmark ends. */
export function serveQuestions(handlers: Record<string, (argument: never) => unknown>): void {
  const reply = (answer: Answer): void => void process.send?.(answer);
  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    const { id, name, argument } = message as Question;
    const handler = handlers[name];
    Promise.resolve()
      .then(() => {
        if (!handler) throw new Error(`no handler for ${name}`);
        return handler(argument as never);
      })
      .then(
        (value) => reply({ id, value }),
        (error: unknown) => reply({ id, error: error instanceof Error ? error.message : String(error) }),
      );
  });
}
