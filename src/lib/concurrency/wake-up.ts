// Wakes up waiting work within the process. Work is found by reading rows; a notification only finds it
// sooner.

// Beyond this many milliseconds, Node's timers fire immediately.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface WakeUp {
  /** Ends all waits. Without one, the next wait returns immediately. */
  notify(): void;
  /** Resolves to true when notified, and to false after `timeoutMs` or when `signal` is aborted. */
  wait(timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
}

export function createWakeUp(): WakeUp {
  const waiters = new Set<(isNotified: boolean) => void>();
  let isPending = false;

  function notify(): void {
    if (waiters.size === 0) {
      isPending = true;
      return;
    }
    for (const wake of [...waiters]) wake(true);
  }

  function wait(timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    if (isPending) {
      isPending = false;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const onAbort = (): void => wake(false);
      const timer = setTimeout(() => wake(false), Math.min(timeoutMs, LONGEST_TIMER_MS));
      function wake(isNotified: boolean): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        waiters.delete(wake);
        resolve(isNotified);
      }
      waiters.add(wake);
      signal?.addEventListener('abort', onAbort);
    });
  }

  return { notify, wait };
}
