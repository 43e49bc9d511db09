// Settings of Node and of the C library that decide between memory and processor time, made by the program itself
// (docs/adr/0095-memory-and-start.md).
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Few malloc arenas, which the C library reads at the start of a process alone. */
const ARENAS = { name: 'MALLOC_ARENA_MAX', value: '2' };
/** The heap may grow so much, in percent of what lives, until it is collected: Node's own choice is up to 300. */
const HEAP_GROWTH = '--heap-growing-percent=100';
/** Half of Node's own choice, in MB. Taken at the start of a process alone. */
const YOUNG_GENERATION = '--max-semi-space-size=8';

const COLLECT_AGAIN_MS = 20_000;
/** A server of which the event loop is busy for no more than this is idle. */
const IDLE_SHARE = 0.1;

/**
 * Gives this process the memory settings of `npm start`: it replaces itself by a process with the same number and with all three.
 * Windows cannot replace a process, so there only the growth of the heap is set. Does nothing where MALLOC_ARENA_MAX is set. Call it
 * before anything large is loaded.
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
 * Collects what the start needed and nothing needs any more; holds the thread for about 50 ms. Once more later, unless there is work:
 * the young generation becomes small again in a collection before which little was allocated.
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
