// The sweep by which DKIM keys age: old ones are followed by new ones, replaced ones are revoked and then forgotten. What
// DNS has to show first is not for it to say: that is seen by the checks of domains.
import { createHash } from 'node:crypto';
import { Refusal } from '../../contract/refusal.js';
import type { LifecycleSettings } from './dkim-lifecycle.rules.js';
import type { DkimMode } from './dkim-publication.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { AgedKey } from './key-rotation.store.js';
import type { DomainStores } from '../stores.js';

/** Making one takes a fifth of a second of a processor. */
const ROTATIONS_PER_RUN = 5;
/** Owners that one run reads; the next one goes on. */
const OWNERS_PER_RUN = 500;
/** The last part of a key's age, over which those that began together are spread. */
const SPREAD = 0.1;

/** Keys to change, with their owner; `trail` is null for an owner that is no sub-tenant. */
export interface KeysToRotate {
  id: string;
  domain: string;
  mode: DkimMode;
  trail: { environmentId: number; workspaceNumber: number } | null;
}

export interface KeyRotationDeps {
  store: Pick<DomainStores, 'keyRotation'>;
  rotations: {
    /** Anything but `started`: not now. */
    begin(owner: KeysToRotate): Promise<{ kind: string }>;
    /** Moves the owner's keys on as far as it only takes time. */
    end(ownerId: string): Promise<void>;
  };
  settings: {
    /** Null: there are no aliases. */
    zone: string | null;
    lifecycle: LifecycleSettings;
    /** Age at which a key is replaced; 0: only on request. */
    rotationMs: number;
    /** Most keys that one run replaces. */
    perRun?: number;
  };
  clock: Clock;
  /** Tells whoever signs that private keys are gone. */
  forgetKeys: () => void;
}

export interface KeyRotation {
  /** To be run every minute. Rejects at the end when something could not be kept. */
  run(): Promise<void>;
}

export function createKeyRotation(deps: KeyRotationDeps): KeyRotation {
  const { store, rotations, settings, clock } = deps;
  const { lifecycle, rotationMs, zone, perRun = ROTATIONS_PER_RUN } = settings;
  let after: AgedKey | null = null;

  async function endOldKeys(attempt: Attempt): Promise<void> {
    const now = clock();
    const owners = await store.keyRotation.ownersOfEndingKeys({
      now,
      retiredBefore: now - lifecycle.overlapMs,
      revokedBefore: now - lifecycle.revokedKeepMs,
      limit: OWNERS_PER_RUN,
    });
    for (const ownerId of owners) await attempt(() => rotations.end(ownerId));
    if (owners.length > 0) deps.forgetKeys();
  }

  async function replaceOldKeys(attempt: Attempt): Promise<void> {
    const now = clock();
    const page = await store.keyRotation.agedKeys({
      before: now - rotationMs * (1 - SPREAD),
      withAliases: zone !== null,
      after,
      limit: OWNERS_PER_RUN,
    });
    let begun = 0;
    for (const key of page) {
      if (begun === perRun) return;
      after = key;
      if (now < dueAt(key, rotationMs)) continue;
      await attempt(async () => {
        if ((await rotations.begin(ownerOf(key))).kind === 'started') begun += 1;
      });
    }
    if (page.length < OWNERS_PER_RUN) after = null;
  }

  return {
    async run() {
      const faults: unknown[] = [];
      const attempt: Attempt = async (task) => {
        try {
          await task();
        } catch (error) {
          // A concurrent change of the keys has done the work.
          if (!(error instanceof Refusal && (error.code === 'conflict' || error.code === 'not_found'))) {
            faults.push(error);
          }
        }
      };
      await endOldKeys(attempt);
      if (rotationMs > 0) await replaceOldKeys(attempt);
      if (faults.length > 0) throw new AggregateError(faults, `${faults.length} owners' keys were not moved`);
    },
  };
}

type Attempt = (task: () => Promise<void>) => Promise<void>;

/** When a key is replaced: at its age, less a share of its own. */
function dueAt(key: AgedKey, rotationMs: number): number {
  const share = createHash('sha256').update(key.key_id).digest().readUInt16BE(0) / 0xffff;
  return key.activated_at + rotationMs * (1 - SPREAD * share);
}

function ownerOf(key: AgedKey): KeysToRotate {
  const { owner_id: id, domain, dkim_mode: mode, environment_id: environmentId } = key;
  const trail =
    environmentId === null || key.workspace_number === null
      ? null
      : { environmentId, workspaceNumber: key.workspace_number };
  return { id, domain, mode: mode ?? 'txt', trail };
}
