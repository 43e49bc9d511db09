// Divides the objects of a page by their owners, because each owner's objects are written in its own scope.
import type { ItemOfKind } from './items.rules.js';
import { leftOut } from './items.rules.js';
import type { ImportKind } from './kinds.rules.js';
import { KIND_WRITERS, NOTHING_WRITTEN, type WriteTerms, type Written } from './write.js';

/** Writes objects of the importing scope and of its sub-tenants. */
export async function writeItems<K extends ImportKind>(
  kind: K,
  terms: WriteTerms,
  items: readonly ItemOfKind[K][],
): Promise<Written> {
  const owners = [...new Set(items.map(({ subTenantId }) => subTenantId))];
  let written = NOTHING_WRITTEN;
  for (const owner of owners) {
    const own = items.filter(({ subTenantId }) => subTenantId === owner);
    const scope = owner === undefined ? terms.scope : await scopeOf(terms, owner);
    const added =
      scope === null
        ? { ...NOTHING_WRITTEN, leftOut: own.map((item) => leftOut(item, NOT_IMPORTED)) }
        : await KIND_WRITERS[kind].write({ ...terms, scope }, own);
    written = joined(written, added);
  }
  return written;
}

const NOT_IMPORTED = 'The sub-tenant of this object was not imported.';

/** A dry run has created no sub-tenants, and finds nothing in the scope of a new one. */
async function scopeOf(terms: WriteTerms, owner: string) {
  const { scope, store, isDryRun } = terms;
  if (scope.subTenantId !== null) return null;
  const id = (await terms.objectsOf('sub_tenants', [owner])).get(owner);
  if (id !== undefined && (await store.tenants.subTenant(scope, id))) return { ...scope, subTenantId: id };
  return isDryRun ? { ...scope, subTenantId: owner } : null;
}

function joined(one: Written, other: Written): Written {
  return {
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
    leftOut: [...one.leftOut, ...other.leftOut],
    notes: [...one.notes, ...other.notes],
    changes: [...one.changes, ...other.changes],
    announce: [...one.announce, ...other.announce],
  };
}
