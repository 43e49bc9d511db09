// Repeats checks while a person waits for them: frequently at first, then every minute.
import { useEffect, useRef, useState } from 'react';

const PAUSES_S = [5, 10, 20, 30];
const THEN_S = 60;
/** Number of checks after which the page stops. The server continues automatically. */
const MOST_CHECKS = 14;

export interface Recheck {
  isChecking: boolean;
  /** Seconds until the next check; null if there is none. */
  next: number | null;
  hasEnded: boolean;
  start: () => void;
  stop: () => void;
}

/** `check` returns whether there is nothing left to wait for. It rejects if checking is pointless. */
export function useRecheck(check: () => Promise<boolean>): Recheck {
  const [run, setRun] = useState<{ at: number; isChecking: boolean; next: number | null } | null>(null);
  const latest = useRef(check);
  useEffect(() => {
    latest.current = check;
  });
  const at = run?.at;
  const isDue = run !== null && run.isChecking;
  useEffect(() => {
    if (!isDue || at === undefined) return;
    let isLeft = false;
    void latest
      .current()
      .catch(() => true)
      .then((isDone) => {
        if (isLeft) return;
        const pause = PAUSES_S[at] ?? THEN_S;
        const isOver = isDone || at + 1 >= MOST_CHECKS;
        setRun({ at: at + 1, isChecking: false, next: isOver ? null : pause });
      });
    return () => {
      isLeft = true;
    };
  }, [isDue, at]);
  const isWaiting = run !== null && run.next !== null;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => {
      setRun((before) => {
        if (before === null || before.next === null) return before;
        return before.next > 1
          ? { ...before, next: before.next - 1 }
          : { ...before, isChecking: true, next: null };
      });
    }, 1000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return {
    isChecking: run?.isChecking ?? false,
    next: run?.next ?? null,
    hasEnded: run !== null && run.at >= MOST_CHECKS && !run.isChecking,
    start: () => setRun({ at: 0, isChecking: true, next: null }),
    stop: () => setRun(null),
  };
}
