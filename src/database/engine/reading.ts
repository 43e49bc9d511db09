// Reads on behalf of requests: what is read between `open` and `end` goes to reader threads, so that it holds neither the
// main thread nor a commit, however long it takes. Store functions know nothing of it: the engine asks `current`.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Owner of a read, and its remaining time. */
export interface Reading {
  /** Owners take turns. */
  readonly owner: string;
  /** Time (ms) left for its statements, waiting included; null: each has the limit of a single statement. */
  leftMs: number | null;
  /** Statements under way. */
  running: number;
  /** True when the reading ends with the statement that is under way. */
  isEnding: boolean;
  /** Calls `work`; what it reads, at once or later, is part of this reading. */
  run<T>(work: () => T): T;
  /** Each piece of `pieces` is read as part of this reading, whoever asks for it. */
  pieces<T>(pieces: AsyncIterable<T>): AsyncGenerator<T>;
  /** Must be called. Work that goes on all the same, of a client that has left, keeps its place until it stops asking. */
  end(): void;
}

export interface Readings {
  open(owner: string, budgetMs: number | null): Reading;
  /** The reading that this is called in; null: it is read at once, in this thread. */
  current(): Reading | null;
  /** Tells that a statement of the reading is under way until `work` settles. */
  during<T>(reading: Reading, work: Promise<T>): Promise<T>;
}

export function createReadings(): Readings {
  const scopes = new AsyncLocalStorage<Reading>();
  let open = 0;

  function settleSoon(reading: Reading): void {
    // A turn later: who asks for one row after the other has then asked for the next.
    setImmediate(() => {
      if (!reading.isEnding || reading.running > 0 || settled.has(reading)) return;
      settled.add(reading);
      open -= 1;
      // Following scopes costs every promise of the program a little on some versions of Node.
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

/** Runs `work` as one reading, which ends with it; without reader threads it reads at once. */
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
