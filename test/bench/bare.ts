// Measures the cost of the work of `delivery` without a product: the same messages through a program that does nothing else. The
// difference to `delivery` is the cost of Mailkeel's features. Nothing on the same machine, Node and SQLite can be cheaper.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, START_FLAGS } from './appliance.js';
import { killAtExit } from './child.js';
import { cpuSeconds, memoryOf } from './proc.js';
import { arrived, type World } from './world.js';

const PROGRAM = fileURLToPath(new URL('./bare-program.js', import.meta.url));
const WARM_UP = 1_000;

export interface BareResult {
  /** First POST to last message. */
  perSecond: number;
  cpuSeconds: number;
  peakMb: number;
}

export async function runBare(world: World): Promise<BareResult> {
  const folder = mkdtempSync(join(world.dir, 'bare-'));
  const port = await freePort();
  const program = spawn(process.execPath, [...START_FLAGS, PROGRAM, folder, `${world.sinkPort}`, `${port}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  killAtExit(program);
  try {
    await once(program.stdout, 'data');
    const pid = program.pid ?? 0;
    const post = (first: number, count: number) =>
      world.post({ port, key: 'none', connections: world.connections, first, count });
    await world.sink.ask('reset');
    await post(0, WARM_UP);
    await arrived(world, WARM_UP);
    await world.sink.ask('reset');
    const before = cpuSeconds(pid);
    const { startedAt } = await post(WARM_UP, world.messages);
    const stats = await arrived(world, world.messages);
    if (stats.leastSignatures !== 1) throw new Error('a message came unsigned');
    return {
      perSecond: (world.messages / (stats.lastAt - startedAt)) * 1_000,
      cpuSeconds: cpuSeconds(pid) - before,
      peakMb: memoryOf(pid).peakMb,
    };
  } finally {
    program.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}
