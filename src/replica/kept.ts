// Removes files from the storage that are not needed to restore any state of the retention period.
import { type BaseManifest, listBases, readableBase } from './base-copy.js';
import { parseReplicaName, type ReplicaNames } from './names.rules.js';
import type { ReplicaStorage } from './replica-storage.js';

const AT_ONCE = 8;

/**
 * `keepSince` is in epoch ms. Continues with the next call after `isStopping`. Claims are kept, because they show a returning
 * server that it was replaced.
 */
export async function removeSurplus(
  storage: ReplicaStorage,
  names: ReplicaNames,
  { keepSince, isStopping }: { keepSince: number; isStopping: () => boolean },
): Promise<void> {
  const bases = await listBases(storage, names);
  let oldest: BaseManifest | null = null;
  const shared = new Set<string>();
  for (const base of bases.toReversed()) {
    const found = await readableBase(storage, names, base);
    if (found === null) continue;
    oldest = found;
    for (const { file } of oldest.parts) shared.add(file);
    if (Date.parse(oldest.consistent_at) <= keepSince) break;
  }
  if (oldest === null) return;
  const { generation, after } = oldest;
  const isSurplus = (name: string): boolean => {
    const file = parseReplicaName(name);
    if (file === null || file.kind === 'claim' || shared.has(name)) return false;
    if (file.generation !== generation) return file.generation < generation;
    // The increment before the first needed one is kept, because the first names its hash.
    return file.kind === 'increment' ? file.number < after : file.after < after;
  };
  // Removes the manifest of a base copy first, so that the remaining files never look like a complete copy.
  const surplus = (await storage.list(names.all)).filter(isSurplus);
  const manifests = surplus.filter((name) => name.endsWith('.json'));
  const others = surplus.filter((name) => !name.endsWith('.json'));
  for (const files of [manifests, others]) {
    for (let i = 0; i < files.length && !isStopping(); i += AT_ONCE) {
      await Promise.all(files.slice(i, i + AT_ONCE).map((name) => storage.remove(name)));
    }
  }
}
