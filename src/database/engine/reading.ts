// Runs the reads of a request, between `open` and `end`, in reader threads, so that they delay neither the main thread nor a
// commit. Store functions are unaware of this: the engine calls `current`.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Owner of a read, and its remaining time. */
export interface Reading {
  /** Owners take turns. */
  readonly owner: string;
  /** Remaining time (ms) for its statements, including waiting; null if only the limit per statement applies. */
  leftMs: number | null;
  /** Statements under way. */
  running: number;
  /** True if the reading ends with the running statement. */
  isEnding: boolean;
  /** Calls `work`; its reads, immediate or later, belong to this reading. */
  run<T>(work: () => T): T;
  /** Reads each piece as part of this reading, regardless of its consumer. */
  pieces<T>(pieces: AsyncIterable<T>): AsyncGenerator<T>;
  /** Must be called. Work that continues anyway, such as that of a disconnected client, keeps the reading until it stops. */
  end(): void;
}

export interface Readings {
  open(owner: string, budgetMs: number | null): Reading;
  /** Returns the current reading; null if reads run in this thread. */
  current(): Reading | null;
  /** Counts a statement of the reading as running until `work` settles. */
  during<T>(reading: Reading, work: Promise<T>): Promise<T>;
}

export function createReadings(): Readings {
  const scopes = new AsyncLocalStorage<Reading>();
  let open = 0;

  function settleSoon(reading: Reading): void {
    // One turn later, a caller that reads row by row has requested the next row.
    setImmediate(() => {
      if (!reading.isEnding || reading.running > 0 || settled.has(reading)) return;
      settled.add(reading);
      open -= 1;
      // On some versions of Node, tracking scopes slows every promise slightly.
      if (open === 0) scopes.disable();
    });
  }
  const settled = new WeakSet<Reading>();

  return {
    open(owner, budgetMs) {
      open += 1;
      const reading: Reading = {
        owner,
        leftMs: budgetMs,
        running: 0,
        isEnding: false,
        run: (work) => scopes.run(reading, work),
        async *pieces(pieces) {
          const iterator = pieces[Symbol.asyncIterator]();
          try {
            for (;;) {
              const next = await scopes.run(reading, () => iterator.next());
              if (next.done === true) return;
              yield next.value;
            }
          } finally {
            await iterator.return?.();
          }
        },
        end() {
          reading.isEnding = true;
          settleSoon(reading);
        },
      };
      return reading;
    },
    current: () => scopes.getStore() ?? null,
    async during(reading, work) {
      reading.running += 1;
      try {
        return await work;
      } finally {
        reading.running -= 1;
        if (reading.isEnding) settleSoon(reading);
      }
    },
  };
}

/** Runs `work` as one reading that ends with it. Without reader threads, its reads run in this thread. */
export async function readAs<T>(
  readings: Pick<Readings, 'open'> | null,
  { owner, budgetMs }: { owner: string; budgetMs: number | null },
  work: () => Promise<T>,
): Promise<T> {
  const reading = readings?.open(owner, budgetMs);
  if (!reading) return work();
  try {
    return await reading.run(work);
  } finally {
    reading.end();
  }
}
