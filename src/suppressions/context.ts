// Dependencies that app gives suppressions.
import type { Clock } from '../lib/runtime/index.js';
import type { SuppressionStores } from './stores.js';

export interface SuppressionContext {
  store: SuppressionStores;
  clock: Clock;
  /** Limits the body of an import. */
  importSizeLimitBytes: number;
}
