// The context of alerts, which src/app fills.
import type { SystemMail } from '../accounts/system-mail.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { DnsResolver } from '../lib/dns/index.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { ReplicaFacts } from '../replica/replica-health.rules.js';
import type { Config } from '../settings/settings.js';
import type { HostCheck } from './incidents.rules.js';
import type { AlertStores } from './stores.js';

export interface AlertContext {
  store: AlertStores;
  config: Pick<Config, 'publicUrl' | 'webhookAllowPrivate' | 'webhookTimeoutMs' | 'extraCaFile'>;
  masterKey: Buffer;
  systemMail: SystemMail;
  resolver: DnsResolver;
  wakeUps: WakeUps;
  clock: Clock;
  log: Log;
  /** Name of this machine. */
  host: string;
  /** Returns the last checks of this machine, or `null` before the first have ended. */
  checks: () => { results: readonly HostCheck[] } | null;
  /** Checks the free disk space, which changes faster than the other checks run. */
  checkDisk: () => Promise<HostCheck>;
  /** Cron pattern of the backups; `null` without a schedule, or if a database server makes them. */
  backupSchedule: string | null;
  /** Returns `null` without a replica, or if its state is not known. */
  replica: () => ReplicaFacts | null;
  /** Returns the names of the machines of all living nodes, or of this server alone. */
  livingHosts: () => readonly string[];
}
