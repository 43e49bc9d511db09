// The context of account imports. src/app fills it, except for the last two fields, which index.ts makes.
import type { CampaignPlanning } from '../campaigns/columns.js';
import type { Senders } from '../domains/senders/senders.js';
import type { SubTenants } from '../domains/sub-tenants/sub-tenants.js';
import type { TransferFiles } from '../imports/transfer-files.js';
import type { TransferQuota } from '../imports/transfer-quota.js';
import type { Room } from '../lib/concurrency/index.js';
import type { DiskGuard } from '../lib/files/index.js';
import type { GuardedClient } from '../lib/http/index.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import type { TemplateContext } from '../templates/context.js';
import type { WebhookContext } from '../webhooks/context.js';
import type { AccountImportStores } from './stores.js';

export interface AccountImportContext {
  store: AccountImportStores;
  config: Pick<Config, 'webhookAllowPrivate' | 'vendorOrigin' | 'vendorIntervalMs' | 'sequenceMinIntervalMs'>;
  masterKey: Buffer;
  disk: Pick<DiskGuard, 'check'>;
  /** Lets one of several nodes do the work. */
  room?: Room | undefined;
  clock: Clock;
  log: Log;
  files: Pick<TransferFiles, 'receive' | 'read' | 'remove'>;
  quota: Pick<TransferQuota, 'upload'>;
  senders: Pick<Senders, 'planAddress' | 'planDomain'>;
  subTenants: Pick<SubTenants, 'plan' | 'announce'>;
  sources: TemplateContext['sources'];
  renderer: CampaignPlanning['renderer'];
  formats: WebhookContext['formats'];
  checkUrl: WebhookContext['checkUrl'];
  client: GuardedClient;
}
