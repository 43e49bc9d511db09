// Account imports as /v1 shows them.
import { wireOf } from '../contract/codec.js';
import { accountImport } from './account-import.schema.js';
import type { AccountImport } from './account-imports.tables.js';
import { countsOf, type Counts, type ImportKind } from './kinds.rules.js';

export const presentAccountImport = wireOf(accountImport).from<AccountImport>({
  kinds: kindsOf,
  counts(row) {
    const counts = JSON.parse(row.counts) as Counts;
    return kindsOf(row).map((kind) => ({ kind, ...countsOf(counts, kind) }));
  },
});

function kindsOf({ kinds }: AccountImport): ImportKind[] {
  return JSON.parse(kinds) as ImportKind[];
}
