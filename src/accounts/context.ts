// Dependencies of accounts.
import type { WakeUps } from '../events/wake-ups.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import type { CredentialCache } from './api-keys/credential-cache.js';
import type { Passwords } from './people/passwords.js';
import type { PlanLimits } from './quota.rules.js';
import type { AccountStores } from './stores.js';
import type { SystemMail } from './system-mail.js';

export interface AccountContext {
  store: AccountStores;
  settings: Config;
  masterKey: Buffer;
  plans: ReadonlyMap<string, PlanLimits>;
  systemMail: SystemMail;
  credentials: CredentialCache;
  passwords: Passwords;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
}
