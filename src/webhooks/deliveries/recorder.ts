// Writes down what attempts came to, many in one transaction. What could not be written stays and is tried again.
import type { WebhookStores } from '../stores.js';
import type { FinishedAttempt } from './queue.store.js';

const MAX_BATCH = 200;

export interface RecorderDeps {
  store: Pick<WebhookStores, 'webhooks'>;
  disableAfter: number;
  onRecorded: (recorded: readonly FinishedAttempt[], disabledEndpoints: readonly string[]) => void;
}

export interface Recorder {
  add(finished: FinishedAttempt): void;
  /** Commits one batch; true when more wait. */
  run(): Promise<boolean>;
}

export function createRecorder({ store, disableAfter, onRecorded }: RecorderDeps): Recorder {
  let waiting: FinishedAttempt[] = [];
  return {
    add: (finished) => void waiting.push(finished),
    async run() {
      const batch = waiting.slice(0, MAX_BATCH);
      if (batch.length === 0) return false;
      const disabled = await store.webhooks.finishAttempts(batch, disableAfter);
      waiting = waiting.slice(batch.length);
      onRecorded(batch, disabled);
      return waiting.length > 0;
    },
  };
}
