// Stores that the code of this folder uses. src/app/store.ts opens them.
import type { Commits } from '../database/committer.js';
import type { ErasureStore } from './erasure.store.js';
import type { createAccountStore } from '../accounts/accounts.store.js';
import type { createContactStore } from '../contacts/contacts.store.js';

export interface ErasureStores extends Commits {
  accounts: ReturnType<typeof createAccountStore>;
  contacts: ReturnType<typeof createContactStore>;
  erasure: ErasureStore;
}
