// Writes the objects of a page by their kind, with the same plans as the API.
import type { Consent } from '../contacts/contact-changes.store.js';
import type { Change } from '../database/change.js';
import type { Scope } from '../database/scope.js';
import type { ObjectPlace } from './account-imports.store.js';
import type { AccountImportContext } from './context.js';
import type { ItemOfKind, LeftOut } from './items.rules.js';
import type { ImportKind } from './kinds.rules.js';
import { writeObjects } from './write-objects.js';
import { writeContacts, writeSuppressions } from './write-people.js';

export interface WriteTerms {
  context: AccountImportContext;
  store: AccountImportContext['store'];
  scope: Scope;
  place: Omit<ObjectPlace, 'kind'>;
  /** Consent of the contacts that join lists. */
  consent: Consent;
  isDryRun: boolean;
  now: number;
  /** Returns the objects that earlier imports created, by the vendor's IDs. */
  objectsOf(kind: ImportKind, externalIds: readonly string[]): Promise<Map<string, string>>;
}

export interface Written {
  created: number;
  updated: number;
  unchanged: number;
  leftOut: readonly LeftOut[];
  /** Lines of the report about imported objects. */
  notes: readonly LeftOut[];
  /** Empty for a dry run. */
  changes: readonly Change[];
  /** Called after the commit. */
  announce: readonly (() => void)[];
}

type Write<K extends ImportKind> = (terms: WriteTerms, items: readonly ItemOfKind[K][]) => Promise<Written>;

interface KindWriter<K extends ImportKind> {
  write: Write<K>;
  /** Objects of one commit. Names of templates and domains must not collide within a commit, and saved blocks are counted. */
  batch: number;
}

export const NOTHING_WRITTEN: Written = {
  created: 0,
  updated: 0,
  unchanged: 0,
  leftOut: [],
  notes: [],
  changes: [],
  announce: [],
};

export const KIND_WRITERS: { readonly [K in ImportKind]: KindWriter<K> } = {
  sub_tenants: { write: (...given) => writeObjects('sub_tenants', ...given), batch: 1 },
  suppressions: { write: writeSuppressions, batch: 500 },
  lists: { write: (...given) => writeObjects('lists', ...given), batch: 20 },
  contacts: { write: writeContacts, batch: 100 },
  templates: { write: (...given) => writeObjects('templates', ...given), batch: 1 },
  domains: { write: (...given) => writeObjects('domains', ...given), batch: 1 },
  webhooks: { write: (...given) => writeObjects('webhooks', ...given), batch: 1 },
  saved_blocks: { write: (...given) => writeObjects('saved_blocks', ...given), batch: 1 },
  sequences: { write: (...given) => writeObjects('sequences', ...given), batch: 20 },
  campaigns: { write: (...given) => writeObjects('campaigns', ...given), batch: 1 },
};
