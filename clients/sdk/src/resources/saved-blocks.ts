// Blocks of template designs, saved under a name.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  SavedBlock,
  SavedBlockCreate,
  SavedBlockDeleted,
  SavedBlockList,
  SavedBlockUpdate,
} from '../types.js';

export class SavedBlocks extends Resource {
  /**
   * Lists the saved blocks of the workspace. With `sub_tenant_id`, also lists those of the sub-tenant.
   *
   * @example
   * for await (const { name } of mailkeel.savedBlocks.list({ q: 'footer' })) console.log(name);
   */
  list(params: Query<'savedBlocks.list'> = {}, options?: RequestOptions): List<SavedBlock, SavedBlockList> {
    return this.pages('GET /v1/saved-blocks', { query: params, options });
  }

  /**
   * Saves a block of a template design under a name.
   *
   * @example
   * const saved = await mailkeel.savedBlocks.create({ name: 'Legal footer', block: { id: '1', type: 'footer', text: 'Example Ltd' } });
   */
  create(params: SavedBlockCreate, options?: RequestOptions): ApiPromise<SavedBlock> {
    return this.call('POST /v1/saved-blocks', { body: params, options });
  }

  /**
   * Renames a saved block.
   *
   * @example
   * await mailkeel.savedBlocks.update('sbk_01kdyak3se4w5amvgkazjzkvb7', { name: 'Footer' });
   */
  update(id: string, params: SavedBlockUpdate, options?: RequestOptions): ApiPromise<SavedBlock> {
    return this.call('PATCH /v1/saved-blocks/{id}', { path: [id], body: params, options });
  }

  /**
   * Deletes a saved block. Templates that contain a copy of it do not change.
   *
   * @example
   * await mailkeel.savedBlocks.delete('sbk_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<SavedBlockDeleted> {
    return this.call('DELETE /v1/saved-blocks/{id}', { path: [id], options });
  }
}
