// Sets options of Node and the C library that trade processor time for memory (docs/adr/0095-memory-and-start.md).
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Limits malloc arenas. The C library reads this only at the start of a process. */
const ARENAS = { name: 'MALLOC_ARENA_MAX', value: '2' };
/** Heap growth, in percent of live data, until the next collection. Node's default is up to 300. */
const HEAP_GROWTH = '--heap-growing-percent=100';
/** Half of Node's default, in MB. Effective only at the start of a process. */
const YOUNG_GENERATION = '--max-semi-space-size=8';

const COLLECT_AGAIN_MS = 20_000;
/** A server whose event loop is busy for at most this share of the time is idle. */
const IDLE_SHARE = 0.1;

/**
 * Applies the memory settings of `npm start` by replacing the process with one of the same id. Windows cannot replace a
 * process, so only the heap growth is set there. Does nothing if MALLOC_ARENA_MAX is set. Must be called before anything large
 * is loaded.
 */
export function limitMemory(): void {
  setFlagsFromString(HEAP_GROWTH);
  if (process.env[ARENAS.name] !== undefined || !process.execve) return;
  const args = [
    process.execPath,
    YOUNG_GENERATION,
    HEAP_GROWTH,
    ...process.execArgv,
    ...process.argv.slice(1),
  ];
  process.execve(process.execPath, args, { ...process.env, [ARENAS.name]: ARENAS.value });
}

/**
 * Collects garbage left by the start, which blocks the thread for about 50 ms. Collects again later if the server is idle: a
 * collection after few allocations shrinks the young generation.
 */
export function giveStartMemoryBack(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
  const start = performance.eventLoopUtilization();
  setTimeout(() => {
    if (performance.eventLoopUtilization(start).utilization < IDLE_SHARE) collect();
  }, COLLECT_AGAIN_MS).unref();
}
