// Sweep that replaces old DKIM keys, revokes replaced ones, and retires revoked ones. Domain checks do the steps that depend on
// DNS.
import { createHash } from 'node:crypto';
import { Refusal } from '../../contract/refusal.js';
import type { AgedKey } from './key-rotation.store.js';
import type { DomainContext } from '../context.js';
import type { KeyOwner, Rotations } from './rotation.js';

/** Limits a run, because creating a key takes 0.2 s of CPU time. */
const ROTATIONS_PER_RUN = 5;
/** Owners per run. The next run continues. */
const OWNERS_PER_RUN = 500;
/** Share of a key's age over which rotations of keys with the same age are spread. */
const SPREAD = 0.1;

type SweepContext = Pick<
  DomainContext,
  'store' | 'clock' | 'zone' | 'lifecycle' | 'rotationMs' | 'forgetKeys'
>;

export class KeyRotation {
  readonly #context: SweepContext;
  readonly #rotations: Pick<Rotations, 'begin' | 'end'>;
  readonly #perRun: number;
  #after: AgedKey | null = null;

  /** `perRun` limits the keys that one run replaces. */
  constructor(
    context: SweepContext,
    rotations: Pick<Rotations, 'begin' | 'end'>,
    perRun = ROTATIONS_PER_RUN,
  ) {
    this.#context = context;
    this.#rotations = rotations;
    this.#perRun = perRun;
  }

  /** Runs every minute. Rejects at the end if a change could not be stored. */
  async run(): Promise<void> {
    const faults: unknown[] = [];
    const attempt: Attempt = async (task) => {
      try {
        await task();
      } catch (error) {
        // A concurrent change of the keys has already done the work.
        if (!(error instanceof Refusal && (error.code === 'conflict' || error.code === 'not_found'))) {
          faults.push(error);
        }
      }
    };
    await this.#endOldKeys(attempt);
    if (this.#context.rotationMs > 0) await this.#replaceOldKeys(attempt);
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} owners' keys were not moved`);
  }

  async #endOldKeys(attempt: Attempt): Promise<void> {
    const { store, clock, lifecycle, forgetKeys } = this.#context;
    const now = clock();
    const owners = await store.keyRotation.ownersOfEndingKeys({
      now,
      retiredBefore: now - lifecycle.overlapMs,
      revokedBefore: now - lifecycle.revokedKeepMs,
      limit: OWNERS_PER_RUN,
    });
    for (const ownerId of owners) await attempt(() => this.#rotations.end(ownerId));
    if (owners.length > 0) forgetKeys();
  }

  async #replaceOldKeys(attempt: Attempt): Promise<void> {
    const { store, clock, zone, rotationMs } = this.#context;
    const now = clock();
    const page = await store.keyRotation.agedKeys({
      before: now - rotationMs * (1 - SPREAD),
      withAliases: zone !== null,
      after: this.#after,
      limit: OWNERS_PER_RUN,
    });
    let begun = 0;
    for (const key of page) {
      if (begun === this.#perRun) return;
      this.#after = key;
      if (now < dueAt(key, rotationMs)) continue;
      await attempt(async () => {
        if ((await this.#rotations.begin(readOwner(key))).kind === 'started') begun += 1;
      });
    }
    if (page.length < OWNERS_PER_RUN) this.#after = null;
  }
}

type Attempt = (task: () => Promise<void>) => Promise<void>;

/** Returns when a key is replaced: at the maximum age minus its share of the spread. */
function dueAt(key: AgedKey, rotationMs: number): number {
  const share = createHash('sha256').update(key.key_id).digest().readUInt16BE(0) / 0xffff;
  return key.activated_at + rotationMs * (1 - SPREAD * share);
}

function readOwner(key: AgedKey): KeyOwner {
  const { owner_id: id, domain, dkim_mode: mode, environment_id: environmentId } = key;
  const trail =
    environmentId === null || key.workspace_number === null
      ? null
      : { environmentId, workspaceNumber: key.workspace_number };
  return { id, domain, mode: mode ?? 'txt', trail };
}
