// Values that the program gives the relay.
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { ParsedMail } from '../lib/mime/index.js';
import type { CertificateSource } from '../lib/smtp-server/index.js';
import type { Submission } from '../messages/accept/accept.js';
import type { Config } from '../settings/settings.js';
import type { RelayStores } from './stores.js';

export interface RelayContext {
  store: RelayStores;
  config: Config;
  certificates: CertificateSource;
  credentials: CredentialCache;
  submission: Submission;
  /** Reads the octets in a thread; `busy` when too much waits. */
  parse: (
    raw: Uint8Array,
    owner: string,
  ) => Promise<{ kind: 'busy' } | { kind: 'read' | 'unreadable'; mail: ParsedMail }>;
  isStorageFull: () => boolean;
  wakeUps: WakeUps;
  clock: Clock;
  log: Log;
}
