// The context of route shares, which src/app fills.
import type { Clock, Log } from '../lib/runtime/index.js';
import type { OutboundApiContext } from '../outbound/context.js';
import type { Engagement } from '../outbound/route/side-chooser.js';
import type { RouteShareStores } from './stores.js';

export interface RouteShareContext {
  store: RouteShareStores;
  /** Routes with a share, and their current shares on all nodes. */
  control: Pick<OutboundApiContext['control'], 'shares' | 'putShare'>;
  engagement: Pick<Engagement, 'shareOfMail'>;
  clock: Clock;
  log: Log;
}
