// Imports of accounts at other vendors, in the background.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import { rowsToSend } from '../rows-file.js';
import type { AccountImport, AccountImportCreate, AccountImportList, RowsFile } from '../types.js';

export class AccountImports extends Resource {
  /**
   * Imports suppressions, lists, contacts, templates, domains and webhooks from an account at another vendor, which is
   * only read. An import can be repeated.
   *
   * @example
   * const job = await mailkeel.accountImports.create({
   *   source: 'resend',
   *   connection: { api_key: 're_kJ3vQ2nW8xZ5hT7c' },
   *   dry_run: true,
   * });
   */
  create(body: AccountImportCreate, options?: RequestOptions): ApiPromise<AccountImport> {
    return this.call('POST /v1/account-imports', { body, options });
  }

  /**
   * Imports a workspace export of another Mailkeel server, an export of Mailchimp, or a database dump of listmonk or Postal:
   * text, bytes, a Blob or a stream. A stream can't be retried after a failure.
   *
   * @example
   * const job = await mailkeel.accountImports.upload(new Blob(['{"object":"workspace_export", …']), {
   *   dry_run: true,
   * });
   */
  upload(
    file: RowsFile,
    params: Query<'accountImports.upload'> = {},
    options?: RequestOptions,
  ): ApiPromise<AccountImport> {
    const contentType = 'application/octet-stream';
    const parts = rowsToSend(file, { ...params, format: 'ndjson' });
    return this.call(
      'POST /v1/account-imports/upload',
      parts.then((given) => ({ ...given, contentType, options, isKeyless: true })),
    );
  }

  /**
   * Lists account imports.
   *
   * @example
   * const imports = await mailkeel.accountImports.list();
   */
  list(
    params: Query<'accountImports.list'> = {},
    options?: RequestOptions,
  ): List<AccountImport, AccountImportList> {
    return this.pages('GET /v1/account-imports', { query: params, options });
  }

  /**
   * Returns an account import with its counts.
   *
   * @example
   * const { status, counts } = await mailkeel.accountImports.get('aim_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<AccountImport> {
    return this.call('GET /v1/account-imports/{id}', { path: [id], options });
  }

  /**
   * Cancels an account import. Objects imported so far are not removed.
   *
   * @example
   * await mailkeel.accountImports.cancel('aim_01kdyak3se4w5amvgkazjzkvb7');
   */
  cancel(id: string, options?: RequestOptions): ApiPromise<AccountImport> {
    return this.call('POST /v1/account-imports/{id}/cancel', { path: [id], options });
  }

  /**
   * Downloads the objects that were left out as CSV, with the reasons. Returns the Response with an unread body.
   *
   * @example
   * const csv = await (await mailkeel.accountImports.getReport('aim_01kdyak3se4w5amvgkazjzkvb7')).text();
   */
  getReport(id: string, options?: RequestOptions): ApiPromise<Response> {
    return this.download('GET /v1/account-imports/{id}/report', { path: [id], options });
  }
}
