// Wires imports, exports and bulk actions: one loop for all three, their routes, and the deletion of old ones.
import type { Cursors } from '../http/lists/cursors.js';
import type { Routes } from '../http/api.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { DiskGuard } from '../lib/runtime/disk-space.js';
import type { Log } from '../lib/runtime/log.js';
import type { Room } from '../lib/runtime/room.js';
import type { StoredFiles } from '../lib/runtime/stored-files.js';
import type { Submission } from '../messages/accept/accept.js';
import type { WakeUps } from '../events/wake-ups.js';
import { Reconsider } from '../messages/reconsider.js';
import type { Config } from '../settings/settings.js';
import type { ImportStores } from './stores.js';
import { bulkActionRoutes } from './bulk-actions.routes.js';
import { exportRoutes } from './exports.routes.js';
import { importRoutes } from './imports.routes.js';
import { createTransferRetention } from './transfer-retention.js';
import { exportPresenters } from './transfer.view.js';
import { createTransfers } from './transfers.js';

export interface ImportsModuleDeps {
  store: ImportStores;
  config: Config;
  files: { transfers: StoredFiles };
  disk: DiskGuard;
  submission: Submission;
  cursors: Pick<Cursors, 'eventId'>;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  /** Of several nodes one works on them. */
  room?: Room | undefined;
}

export function createImportsModule(deps: ImportsModuleDeps) {
  const { store, config, files, submission, cursors, clock, log, wakeUps } = deps;
  const { importSizeLimitBytes } = config;
  const reconsider = new Reconsider({ store, config, clock, wakeUps });
  const transfers = createTransfers({
    store,
    files: files.transfers,
    disk: deps.disk,
    quotaBytes: config.fileQuotaBytes,
    clock,
    log,
    room: deps.room,
    present: exportPresenters(cursors),
    mail: {
      resend: (...asked) => submission.resend(...asked),
      cancel: (...asked) => reconsider.cancel(...asked),
    },
  });
  const routes: Routes[] = [
    (api) => importRoutes(api, { store, transfers, importSizeLimitBytes }),
    (api) => exportRoutes(api, { store, transfers, clock }),
    (api) => bulkActionRoutes(api, { store, transfers }),
  ];
  return {
    routes,
    transfers,
    retention: createTransferRetention({ store, files: transfers.files }),
    start: () => transfers.start(),
    stop: () => transfers.stop(),
  };
}
