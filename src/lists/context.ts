// Dependencies that app gives lists.
import type { ContactList } from '../contacts/lists/lists.tables.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { Keys } from '../lib/secrets/index.js';
import type { TokenKey } from '../lib/tokens/index.js';
import type { Submission } from '../messages/accept/accept.js';
import type { Config } from '../settings/settings.js';
import type { ListStores } from './stores.js';

export interface ListContext {
  store: ListStores;
  config: Pick<Config, 'publicUrl' | 'confirmationLifetimeMs' | 'signUpRate'>;
  keys: Pick<Keys, 'masterKey' | 'tokenKeys'>;
  submission: Pick<Submission, 'accept'>;
  clock: Clock;
  log: Log;
}

/** Dependencies of the pages behind the links in a message. */
export interface MessageLinkContext {
  store: ListStores;
  /** Returns the list that a campaign goes to; null if the list was deleted. */
  listOfCampaign: (campaignId: string) => Promise<ContactList | null>;
  /** Keys of the tokens in unsubscribe links. */
  tokenKeys: readonly TokenKey[];
  clock: Clock;
  wakeUps: Pick<WakeUps, 'events'>;
}
