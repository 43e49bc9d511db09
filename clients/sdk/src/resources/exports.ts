// Exports into files, in the background.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Export, ExportCreate, ExportDeleted, ExportList } from '../types.js';

export class Exports extends Resource {
  /**
   * Starts an export of contacts, messages, events or suppressions, depending on `kind`.
   *
   * @example
   * const job = await mailkeel.exports.create({ kind: 'contacts', format: 'csv' });
   */
  create(params?: ExportCreate, options?: RequestOptions): ApiPromise<Export> {
    return this.call('POST /v1/exports', { body: params ?? {}, options });
  }

  /**
   * Lists exports.
   *
   * @example
   * const exports = await mailkeel.exports.list();
   */
  list(params: Query<'exports.list'> = {}, options?: RequestOptions): List<Export, ExportList> {
    return this.pages('GET /v1/exports', { query: params, options });
  }

  /**
   * Returns an export with its progress.
   *
   * @example
   * const { status } = await mailkeel.exports.get('exp_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Export> {
    return this.call('GET /v1/exports/{id}', { path: [id], options });
  }

  /**
   * Cancels an export and deletes its file.
   *
   * @example
   * await mailkeel.exports.cancel('exp_01kdyak3se4w5amvgkazjzkvb7');
   */
  cancel(id: string, options?: RequestOptions): ApiPromise<Export> {
    return this.call('POST /v1/exports/{id}/cancel', { path: [id], options });
  }

  /**
   * Deletes an export and its file. The file no longer counts toward the file quota.
   *
   * @example
   * await mailkeel.exports.delete('exp_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<ExportDeleted> {
    return this.call('DELETE /v1/exports/{id}', { path: [id], options });
  }

  /**
   * Downloads the file of a completed export. Returns the Response with an unread body. To download a part, pass
   * `headers: { Range }`.
   *
   * @example
   * const file = await mailkeel.exports.getFile('exp_01kdyak3se4w5amvgkazjzkvb7');
   */
  getFile(id: string, options?: RequestOptions): ApiPromise<Response> {
    return this.download('GET /v1/exports/{id}/file', { path: [id], options });
  }
}
