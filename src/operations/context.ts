// Dependencies of operations, which src/app provides.
import type { SystemMail } from '../accounts/system-mail.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { DnsResolver } from '../lib/dns/index.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { DiskGuard } from '../lib/files/index.js';
import type { ProofSigningKey } from '../lib/tokens/index.js';
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import type { Config } from '../settings/settings.js';
import type { InstallationFiles } from './files/installation-files.js';
import type { ReplicaFacts } from '../replica/replica-health.rules.js';
import type { DatabaseServerFacts } from './preflight/preflight-store.rules.js';
import type { OperationStores } from './stores.js';

export interface OperationContext {
  store: OperationStores;
  config: Config;
  systemMail: SystemMail;
  resolver: DnsResolver;
  rules: OutboundRules;
  keys: { proofKeys: { active: ProofSigningKey } };
  files: Pick<InstallationFiles, 'archive' | 'tls'>;
  disk: Pick<DiskGuard, 'check'>;
  /** Paths in the data folder. `databaseFile` is `null` if a database server keeps the rows. */
  folder: { databaseFile: string | null; keysFolder: string };
  /** Rows and files of imports and exports. */
  transfers: {
    forgetFinished(before: number, limit: number): Promise<number>;
    removeOrphans(before: number): Promise<void>;
  };
  accountImports: { forgetFinished(before: number, limit: number): Promise<number> };
  incidents: { prune: (before: number, limit: number) => Promise<number> };
  /** Returns the sources that this node can send from, or `null` if it does not know yet. */
  sourcesOfNode: () => readonly string[] | null;
  /** Returns the roles that no living node has, or `null` if the server is not a node. */
  missingRoles: () => readonly string[] | null;
  /** Returns this node's measurements of its database server, or `null` on SQLite. */
  databaseServer: () => DatabaseServerFacts | null;
  /** Returns `null` without a replica, or if its state is not known. */
  replica: () => ReplicaFacts | null;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
}
