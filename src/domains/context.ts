// Dependencies of domains.
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import type { SystemMail } from '../accounts/system-mail.js';
import type { Change } from '../database/change.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import type { CheckTerms } from './check-plan.js';
import type { RecordCheck } from './check-records.js';
import type { DomainSettings } from './domain-records.js';
import type { DomainStores } from './stores.js';

/** Services that src/app provides. */
export interface DomainServices {
  store: DomainStores;
  systemMail: SystemMail;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  credentials: Pick<CredentialCache, 'forget'>;
  /** Applies committed changes to delivery immediately. */
  tenants: {
    limit(environmentId: number, tenantId: string, cause: 'owner', perHour: number | null): void;
    stop(environmentId: number, tenantId: string, cause: 'suspended', isStopped: boolean): void;
    forget(tenantId: string): void;
  };
  /** Sets the name that routes may use for a sub-tenant. */
  nameTenant: (tenantId: string, externalId: string | null) => void;
  /** Returns changes that remove the sub-tenant's rows in other folders. */
  alsoRemoved: (subTenantId: string, now: number) => readonly Change[];
}

/** The services, with values that index.ts derives from the configuration. */
export interface DomainContext extends DomainServices, CheckTerms {
  masterKey: Buffer;
  settings: DomainSettings & Pick<Config, 'publicUrl' | 'reputationWindowMs'>;
  /** The delegated DNS zone; null without one. */
  zone: string | null;
  /** Mailkeel's own host names, which no customer may use. */
  serverNames: readonly string[];
  recordCheck: RecordCheck;
  /** Returns why links under a tracking domain cannot be followed, although it points to Mailkeel; null if they can. */
  trackingProblem?: (host: string) => Promise<string | null>;
  /** Age (ms) at which a DKIM key is replaced; 0 to replace keys only on request. */
  rotationMs: number;
  /** Limits the sub-tenants, and the senders, that are checked per minute. */
  checksPerRun: number;
  /** Notifies signers that their cached keys may be stale. */
  forgetKeys: () => void;
}
