// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { Commits } from '../database/committer.js';
import type { EngagementStore } from './engagement.store.js';
import type { SideFiguresStore } from './side-figures.store.js';

export interface RouteShareStores extends Commits {
  accounts: Pick<ReturnType<typeof createAccountStore>, 'firstOrganization'>;
  engagement: EngagementStore;
  sideFigures: SideFiguresStore;
}
