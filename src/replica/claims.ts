// Claims of generations. One server writes a generation. A server that begins the next one takes over the replica, and the previous
// server notices after its next increment.
import type { Clock } from '../lib/runtime/index.js';
import { listBases } from './base-copy.js';
import type { RestoredState } from './identity.js';
import { parseReplicaName, type ReplicaNames } from './names.rules.js';
import { parseReplicaJson } from './replica-json.js';
import type { ReplicaStorage } from './replica-storage.js';

const MOST_BYTES = 65_536;

export interface Claim {
  format: 1;
  kind: 'replica_claim';
  generation: number;
  /** Identifies the data folder. */
  server: string;
  begun_at: string;
}

/** The server may not write the replica, because another server does. */
export class Fenced extends Error {
  /** The generation of the other server. */
  readonly generation: number;
  /** The data folder lacks changes of the other server. Otherwise, the other server has begun a later generation. */
  readonly isBehind: boolean;

  constructor(generation: number, isBehind = false) {
    super('Another server writes the replica.');
    this.name = 'Fenced';
    this.generation = generation;
    this.isBehind = isBehind;
  }
}

/** Returns null if no generation was begun. */
export async function newestClaim(storage: ReplicaStorage, names: ReplicaNames): Promise<Claim | null> {
  const newest = (await storage.list(names.claims)).at(-1);
  return newest === undefined ? null : readClaim(storage, newest);
}

/** Begins the generation after the newest one, and returns its number. */
export async function claimGeneration(
  storage: ReplicaStorage,
  names: ReplicaNames,
  { server, clock }: { server: string; clock: Clock },
): Promise<number> {
  for (;;) {
    const generation = ((await newestClaim(storage, names))?.generation ?? 0) + 1;
    const claim: Claim = {
      ...({ format: 1, kind: 'replica_claim' } as const),
      ...{ generation, server, begun_at: new Date(clock()).toISOString() },
    };
    const name = names.claim(generation);
    if (!(await storage.create(name, Buffer.from(`${JSON.stringify(claim)}\n`)))) continue;
    // A store that ignores the condition replaces the claim of another server, so the last writer owns it.
    if ((await readClaim(storage, name))?.server === server) return generation;
  }
}

/** Throws Fenced if another server has begun the generation after this one. */
export async function refuseTakenOver(
  storage: ReplicaStorage,
  names: ReplicaNames,
  { generation, server }: { generation: number; server: string },
): Promise<void> {
  const next = await readClaim(storage, names.claim(generation + 1));
  if (next !== null && next.server !== server) throw new Fenced(next.generation);
}

/**
 * Throws Fenced if the replica has changes that a data folder without a generation lacks. A folder that was restored to an earlier
 * state may lack them.
 */
export async function refuseBehind(
  storage: ReplicaStorage,
  names: ReplicaNames,
  restored: RestoredState | null,
): Promise<void> {
  const newest = await newestClaim(storage, names);
  if (newest === null || restored === 'earlier') return;
  const { generation: since, increment } = restored ?? { generation: 0, increment: 0 };
  const bases = await listBases(storage, names);
  if (bases.some(({ generation }) => generation > since)) throw new Fenced(newest.generation, true);
  for (let { generation } = newest; generation >= Math.max(since, 1); generation--) {
    const last = (await storage.list(names.increments(generation))).at(-1);
    const file = last === undefined ? null : parseReplicaName(last);
    const number = file?.kind === 'increment' ? file.number : 0;
    if (number > (generation === since ? increment : 0)) throw new Fenced(newest.generation, true);
  }
}

/** Returns null if the generation was not begun. */
export async function readClaim(storage: ReplicaStorage, name: string): Promise<Claim | null> {
  const octets = await storage.get(name, MOST_BYTES);
  if (octets === null) return null;
  return parseReplicaJson<Claim>(octets, { kind: 'replica_claim', name });
}
