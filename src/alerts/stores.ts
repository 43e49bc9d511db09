// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { ApprovalStore } from '../messages/approvals/approvals.store.js';
import type { Commits } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import type { createAlertStore } from './alerts.store.js';
import type { createBackupStore } from '../backups/backups.store.js';
import type { createPeopleStore } from '../accounts/people/people.store.js';

export interface AlertStores extends Commits {
  approvals: ApprovalStore;
  alerts: ReturnType<typeof createAlertStore>;
  backups: ReturnType<typeof createBackupStore>;
  people: ReturnType<typeof createPeopleStore>;
  readings: Engine['readings'];
}
