// Measures the cost of a claim as the queue grows: the same batches from a queue that is a hundred times longer.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startHelper } from './child.js';
import type { ClaimCost } from './claims-child.js';
import type { Figures } from './print.js';
import type { World } from './world.js';

const DEEPER = 100;

/** With 20,000 messages, the depths are 10,000 and 1,000,000. */
export function claimDepths({ messages }: Pick<World, 'messages'>): [number, number] {
  const shallow = Math.ceil(messages / 2);
  return [shallow, shallow * DEEPER];
}

export async function claims(world: World): Promise<Figures> {
  const figures: Figures = {};
  const [shallow, deep] = claimDepths(world);
  const few = await measureDepth(world.dir, shallow, figures);
  const many = await measureDepth(world.dir, deep, figures);
  figures['time of a batch, deep against shallow'] = many.meanMs / few.meanMs;
  figures['CPU of a batch, deep against shallow'] = many.cpuMs / few.cpuMs;
  return figures;
}

/** One process fills the queue and another one claims from it, so that filling does not count toward memory. */
async function measureDepth(parent: string, depth: number, figures: Figures): Promise<ClaimCost> {
  const dir = mkdtempSync(join(parent, 'claims-'));
  const file = join(dir, 'mail.db');
  try {
    await inHelper((ask) => ask('fill', { file, depth }));
    const cost = await inHelper<ClaimCost>((ask) => ask('measure', { file }));
    const label = `with ${depth.toLocaleString('en')} waiting`;
    figures[`ms a batch of 200, mean, ${label}`] = cost.meanMs;
    figures[`ms a batch, p50, ${label}`] = cost.p50Ms;
    figures[`ms a batch, p95, ${label}`] = cost.p95Ms;
    figures[`CPU-ms a batch, ${label}`] = cost.cpuMs;
    figures[`ms to find all lanes at the start, ${label}`] = cost.lookMs;
    figures[`resident MB before the claims, ${label}`] = cost.residentBeforeMb;
    figures[`resident MB after the claims, ${label}`] = cost.residentAfterMb;
    return cost;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function inHelper<T>(
  use: (ask: (name: string, argument: unknown) => Promise<T>) => Promise<T>,
): Promise<T> {
  const helper = startHelper('./claims-child.js');
  try {
    return await use((name, argument) => helper.ask(name, argument) as Promise<T>);
  } finally {
    helper.stop();
  }
}
