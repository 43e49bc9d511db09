// The context of webhooks. src/app fills it, except for the last three fields, which index.ts makes.
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import type { DnsResolver } from '../lib/dns/index.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { DividedRoom } from '../lib/concurrency/index.js';
import type { Config } from '../settings/settings.js';
import type { VendorFormats } from './format.rules.js';
import type { WebhookStores } from './stores.js';

export interface WebhookContext {
  store: WebhookStores;
  config: Config;
  masterKey: Buffer;
  credentials: CredentialCache;
  resolver: DnsResolver;
  /** Formats of other vendors that an endpoint may choose. */
  formats: VendorFormats;
  /** Shares the workspaces among several nodes. Each makes the deliveries and attempts of its own workspaces. */
  room?: DividedRoom | undefined;
  clock: Clock;
  log: Log;
  /** Returns why a URL may not be saved as an endpoint, or `null`. */
  checkUrl: (url: string) => Promise<string | null>;
  readRecords: ReadRecords;
  /** Call it when an endpoint was changed or a delivery was added. */
  notifyDeliveries: () => void;
}

/**
 * Reads the records that deliveries contain, by their public IDs, as the API shows them to the environment. Deleted records are
 * left out.
 */
export type ReadRecords = (
  environmentId: number,
  publicIds: readonly string[],
) => Promise<ReadonlyMap<string, object>>;
