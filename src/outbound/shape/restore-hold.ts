// Holds all live mail after a restore from a backup, until an operator releases it: what was queued in the copy may have left
// before (record 90).
import type { QueueKey } from '../schedule/queue.store.js';
import { UNLIMITED, type Capacity, type Limit } from './limit.js';

const DETAIL = 'A backup was restored. The operator must review the held mail and release it.';

export class RestoreHold implements Limit<QueueKey> {
  readonly name = 'restore hold';
  #isHeld: boolean;

  constructor(isHeld: boolean) {
    this.#isHeld = isHeld;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** The operator has released the mail. */
  release(): void {
    this.#isHeld = false;
  }

  /** Sandbox mail goes nowhere. */
  check(queue: QueueKey): Capacity {
    if (!this.#isHeld || queue.mode !== 'live') return UNLIMITED;
    return { kind: 'closed', reason: { code: 'outbound_held', until: null, detail: DETAIL } };
  }

  reserve(): null {
    return null;
  }
}
