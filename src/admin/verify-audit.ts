// `posthorn admin audit verify`: walks every workspace's event chain.
import type { Config } from '../settings/settings.js';
import type { ChainReport } from '../events/chain-check.store.js';
import { checkChains } from '../events/chain-check.store.js';
import { withReadStore } from './open-existing.js';

export type { ChainReport };

const BATCH = 1000;

/** One report per workspace; only reads, so it may run beside a server. */
export function adminVerifyAudit(config: Pick<Config, 'dataDir'>): Promise<ChainReport[]> {
  return withReadStore(config, (store) => checkChains(store, BATCH));
}
