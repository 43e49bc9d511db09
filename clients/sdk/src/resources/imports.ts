// Imports of contacts, in the background.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import { rowsToSend } from '../rows-file.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Import, ImportItem, ImportList, ImportPreview, RowsFile, RowsFormat } from '../types.js';

export class Imports extends Resource {
  /**
   * Imports contacts from an array of objects, CSV or JSON Lines as text, bytes, a Blob or a stream. Invalid rows
   * are rejected individually. A stream can't be retried after a failure.
   *
   * @example
   * const job = await mailkeel.imports.create('email,Ort\
   * ann@example.com,Bremen', {
   *   list_id: 'lst_01kdyak3se4w5amvgkazjzkvb7',
   *   columns: { Ort: 'metadata.city' },
   * });
   */
  create(
    rows: RowsFile | readonly ImportItem[],
    params: Query<'imports.create'> & RowsFormat = {},
    options?: RequestOptions,
  ): ApiPromise<Import> {
    const parts = rowsToSend(rows, params).then((file) => ({ ...file, options, isKeyless: true }));
    return this.call('POST /v1/imports', parts);
  }

  /**
   * Shows how the columns of a file would be imported, without changing anything. The first 128 KiB of the file are
   * enough.
   *
   * @example
   * const { columns } = await mailkeel.imports.preview('E-Mail;Vorname\
   * ann@example.com;Ann');
   */
  preview(
    rows: RowsFile | readonly ImportItem[],
    params: Query<'imports.preview'> & RowsFormat = {},
    options?: RequestOptions,
  ): ApiPromise<ImportPreview> {
    const parts = rowsToSend(rows, params).then((file) => ({ ...file, options, isKeyless: true }));
    return this.call('POST /v1/imports/preview', parts);
  }

  /**
   * Lists imports.
   *
   * @example
   * const imports = await mailkeel.imports.list();
   */
  list(params: Query<'imports.list'> = {}, options?: RequestOptions): List<Import, ImportList> {
    return this.pages('GET /v1/imports', { query: params, options });
  }

  /**
   * Returns an import with its progress.
   *
   * @example
   * const { status } = await mailkeel.imports.get('imp_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Import> {
    return this.call('GET /v1/imports/{id}', { path: [id], options });
  }

  /**
   * Cancels an import. Contacts imported so far are not removed.
   *
   * @example
   * await mailkeel.imports.cancel('imp_01kdyak3se4w5amvgkazjzkvb7');
   */
  cancel(id: string, options?: RequestOptions): ApiPromise<Import> {
    return this.call('POST /v1/imports/{id}/cancel', { path: [id], options });
  }

  /**
   * Downloads the rejected rows as CSV with the columns line, problem and row. Returns the Response with an unread
   * body.
   *
   * @example
   * const csv = await (await mailkeel.imports.getRejectedRows('imp_01kdyak3se4w5amvgkazjzkvb7')).text();
   */
  getRejectedRows(id: string, options?: RequestOptions): ApiPromise<Response> {
    return this.download('GET /v1/imports/{id}/rejected', { path: [id], options });
  }
}
