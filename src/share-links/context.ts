// The context of share links, which src/app fills.
import type { ReadCurrentRecords } from '../domains/current-records.js';
import type { Clock } from '../lib/runtime/index.js';
import type { Keys } from '../lib/secrets/index.js';
import type { Config } from '../settings/settings.js';
import type { ShareLinkStores } from './stores.js';

export interface ShareLinkContext {
  store: ShareLinkStores;
  config: Pick<Config, 'publicUrl'>;
  keys: Pick<Keys, 'tokenKeys'>;
  lookAtRecords: ReadCurrentRecords;
  clock: Clock;
}
