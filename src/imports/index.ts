// Wires imports, exports and bulk actions: one loop for all three, their routes, and the deletion of old ones.
import type { Cursors } from '../http/lists/cursors.js';
import type { Routes } from '../http/api.js';
import type { StoredFiles } from '../lib/files/index.js';
import type { Submission } from '../messages/accept/accept.js';
import type { WakeUps } from '../events/wake-ups.js';
import { Reconsider } from '../messages/reconsider.js';
import type { Config } from '../settings/settings.js';
import type { ImportContext } from './context.js';
import { bulkActionRoutes } from './bulk-actions.routes.js';
import { exportRoutes } from './exports.routes.js';
import { importRoutes } from './imports.routes.js';
import { createTransferFiles, forgetFinishedTransfers, removeOrphanFiles } from './transfer-files.js';
import { TransferQuota } from './transfer-quota.js';
import { exportPresenters } from './transfer.view.js';
import { Transfers } from './transfers.js';

interface GivenContext extends Omit<ImportContext, 'config' | 'files' | 'quota' | 'present' | 'mail'> {
  config: Config;
  files: { transfers: StoredFiles };
  submission: Submission;
  cursors: Pick<Cursors, 'eventId'>;
  wakeUps: WakeUps;
}

export function createImportsModule(given: GivenContext) {
  const { store, config, submission, cursors, clock, wakeUps } = given;
  const reconsider = new Reconsider({ store, config, clock, wakeUps });
  const context: ImportContext = {
    ...given,
    files: createTransferFiles(given.files.transfers),
    quota: new TransferQuota(given),
    present: exportPresenters(cursors),
    mail: {
      resend: (...asked) => submission.resend(...asked),
      cancel: (...asked) => reconsider.cancel(...asked),
    },
  };
  const transfers = new Transfers(context);
  const routes: Routes[] = [
    (api) => importRoutes(api, context, transfers),
    (api) => exportRoutes(api, context, transfers),
    (api) => bulkActionRoutes(api, context, transfers),
  ];
  return {
    routes,
    transfers,
    files: context.files,
    quota: context.quota,
    retention: {
      forgetFinished: (before: number, limit: number) => forgetFinishedTransfers(context, before, limit),
      removeOrphans: (before: number) => removeOrphanFiles(context, before),
    },
    start: () => transfers.start(),
    stop: () => transfers.stop(),
  };
}
