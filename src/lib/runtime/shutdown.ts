// Shuts down in order: the first signal runs the closing steps within a deadline, the second ends the process
// immediately.
import type { Log } from './log.js';

export interface ClosingStep {
  name: string;
  close: () => Promise<void> | void;
}

interface SignalSource {
  on(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
}

interface ShutdownOptions {
  /** Closing steps in their order: listeners first, the store last. */
  steps: readonly ClosingStep[];
  /** Time for all steps together. */
  graceMs: number;
  log: Log;
  exit?: (code: number) => void;
  signals?: SignalSource;
}

function endProcess(code: number): void {
  process.exit(code);
}

async function closeAll(steps: readonly ClosingStep[], log: Log): Promise<boolean> {
  let isClean = true;
  for (const step of steps) {
    try {
      await step.close();
      log.info({ step: step.name }, 'closed');
    } catch (error) {
      // Later steps must still run, because the store has to be closed.
      log.error({ err: error, step: step.name }, 'closing failed');
      isClean = false;
    }
  }
  return isClean;
}

/**
 * Listens for SIGTERM and SIGINT. Exit code 0 after a clean end, 1 if a step failed or the time ran out, 130
 * on a second signal. The returned function starts the same shutdown; calling it again has no effect.
 */
export function installShutdown(options: ShutdownOptions): () => Promise<void> {
  const { steps, graceMs, log, signals = process, exit = endProcess } = options;
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    log.info({ grace_ms: graceMs }, 'shutting down');
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), graceMs);
    });
    const result = await Promise.race([closeAll(steps, log), deadline]);
    clearTimeout(timer);
    if (result === 'late') log.warn({ grace_ms: graceMs }, 'shutdown deadline passed');
    exit(result === true ? 0 : 1);
  }

  function shutdown(): Promise<void> {
    closing ??= close();
    return closing;
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    signals.on(signal, () => {
      if (closing) exit(130);
      else void shutdown();
    });
  }
  return shutdown;
}
