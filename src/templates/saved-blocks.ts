// Saves, renames and deletes blocks of template designs.
import { invalidFields, Refusal } from '../contract/refusal.js';
import { changeTime } from '../contract/time.js';
import type { Change } from '../database/change.js';
import { insert, remove, update } from '../database/rows.js';
import type { Scope } from '../database/scope.js';
import { newId } from '../lib/runtime/index.js';
import { groupedDigits } from '../lib/rows/index.js';
import type { TemplateContext } from './context.js';
import { MAX_BLOCK_CHARACTERS } from './saved-block.schema.js';
import type { TemplateStores } from './stores.js';
import { type SavedBlock, savedBlocks } from './templates.tables.js';

/** Limits the saved blocks of a workspace, and those of each sub-tenant, in one environment. */
export const MAX_SAVED_BLOCKS = 100;

type SavedBlockWork = Pick<TemplateContext, 'store' | 'clock'>;

/** Saves a block. Refused as `planBlock` is. */
export async function saveBlock(
  work: SavedBlockWork,
  scope: Scope,
  given: { name: string; block: unknown },
): Promise<SavedBlock> {
  const { row, change } = await planBlock(work, scope, given);
  await work.store.commit([change]);
  return row;
}

/** Plans a saved block. Refuses one that is too long, and with `conflict` if the owner has too many. */
export async function planBlock(
  { store, clock }: Pick<SavedBlockWork, 'clock'> & { store: Pick<TemplateStores, 'savedBlocks'> },
  scope: Scope,
  { name, block }: { name: string; block: unknown },
): Promise<{ row: SavedBlock; change: Change }> {
  const json = JSON.stringify(block);
  if (json.length > MAX_BLOCK_CHARACTERS) {
    const limit = groupedDigits(MAX_BLOCK_CHARACTERS);
    throw invalidFields([{ path: 'block', message: `must not exceed ${limit} characters of JSON` }]);
  }
  if ((await store.savedBlocks.countSavedBlocks(scope)) >= MAX_SAVED_BLOCKS) {
    throw new Refusal(
      'conflict',
      `You have reached the limit of ${MAX_SAVED_BLOCKS} saved blocks. Delete one first.`,
    );
  }
  const now = clock();
  const row: SavedBlock = {
    id: newId('sbk', now),
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    name,
    block: json,
    created_at: now,
    updated_at: now,
  };
  return { row, change: insert(savedBlocks, { row }) };
}

export async function renameBlock(
  { store, clock }: SavedBlockWork,
  scope: Scope,
  { id, name }: { id: string; name: string },
): Promise<SavedBlock> {
  const before = await findOwned(store, scope, id);
  const set = { name, updated_at: changeTime(before, clock()) };
  await store.commit([update(savedBlocks, { set, where: { id }, otherwise: { code: 'not_found' } })]);
  return { ...before, ...set };
}

export async function deleteBlock(
  { store }: Pick<TemplateContext, 'store'>,
  scope: Scope,
  id: string,
): Promise<void> {
  await findOwned(store, scope, id);
  await store.commit([remove(savedBlocks, { where: { id }, otherwise: { code: 'not_found' } })]);
}

/** Returns a block that the scope may change. Refuses an unknown one, and one of the workspace to a sub-tenant. */
async function findOwned(store: TemplateContext['store'], scope: Scope, id: string): Promise<SavedBlock> {
  const found = await store.savedBlocks.savedBlock(scope, id);
  if (found === null) throw new Refusal('not_found');
  if (scope.subTenantId === null || scope.subTenantId === found.sub_tenant_id) return found;
  throw new Refusal('forbidden', 'This saved block belongs to the workspace.');
}
