// Wires share links: how they are made, and the pages for readers without a key.
import type { Routes } from '../http/api.js';
import type { LookAtRecords } from '../domains/current-records.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { ExplainMessage } from '../outbound/index.js';
import type { Config } from '../settings/settings.js';
import type { ShareLinkStores } from './stores.js';
import { createShareLinks } from './share-links.js';
import { shareLinkRoutes } from './share-links.routes.js';
import { sharePageRoutes } from './share.pages.js';

export interface ShareLinksDeps {
  store: ShareLinkStores;
  config: Pick<Config, 'publicUrl'>;
  keys: Pick<Keys, 'tokenKeys'>;
  clock: Clock;
  lookAtRecords: LookAtRecords;
  explainMessage: ExplainMessage;
}

export function createSharing(deps: ShareLinksDeps): { routes: Routes[] } {
  const { store, config, keys, clock, lookAtRecords, explainMessage } = deps;
  const { publicUrl } = config;
  const shareLinks = createShareLinks({ store, tokenKeys: keys.tokenKeys, publicUrl, clock });
  return {
    routes: [
      (api) => shareLinkRoutes(api, { store, shareLinks }),
      (api) => sharePageRoutes(api, { store, shareLinks, lookAtRecords, explainMessage }),
    ],
  };
}
