// The context of imports, exports and bulk actions. src/app fills it, except for the last four fields, which index.ts makes.
import type { Clock, Log } from '../lib/runtime/index.js';
import type { DiskGuard } from '../lib/files/index.js';
import type { Room } from '../lib/concurrency/index.js';
import type { Submission } from '../messages/accept/accept.js';
import type { Reconsider } from '../messages/reconsider.js';
import type { Config } from '../settings/settings.js';
import type { ExportPresenters } from './export-sources.js';
import type { ImportStores } from './stores.js';
import type { TransferFiles } from './transfer-files.js';
import type { OtherFiles, TransferQuota } from './transfer-quota.js';
import type { WorkspaceSection } from './workspace-file.js';

export interface ImportContext {
  store: ImportStores;
  config: Pick<Config, 'importSizeLimitBytes' | 'fileQuotaBytes'>;
  disk: Pick<DiskGuard, 'isShort' | 'check'>;
  /** Lets one of several nodes do the work. */
  room?: Room | undefined;
  clock: Clock;
  log: Log;
  files: TransferFiles;
  otherFiles: OtherFiles;
  quota: TransferQuota;
  present: ExportPresenters;
  /** Kinds of objects in a workspace export, in their order. */
  sections: readonly WorkspaceSection[];
  /** Actions on single messages. */
  mail: Pick<Submission, 'resend'> & Pick<Reconsider, 'cancel'>;
}
