// Suppressions: addresses that Mailkeel does not send to.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import { rowsToSend } from '../rows-file.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  RowsFile,
  RowsFormat,
  Suppression,
  SuppressionCheck,
  SuppressionCreate,
  SuppressionDeleted,
  SuppressionImport,
  SuppressionImportItem,
  SuppressionList,
} from '../types.js';

export class Suppressions extends Resource {
  /**
   * Lists suppressed addresses.
   *
   * @example
   * for await (const { email } of mailkeel.suppressions.list({ reason: ['bounce'] })) console.log(email);
   */
  list(
    params: Query<'suppressions.list'> = {},
    options?: RequestOptions,
  ): List<Suppression, SuppressionList> {
    return this.pages('GET /v1/suppressions', { query: params, options });
  }

  /**
   * Suppresses an address. If it is already suppressed, the original reason is kept.
   *
   * @example
   * await mailkeel.suppressions.create({ email: 'ann@example.com' });
   */
  create(params: SuppressionCreate, options?: RequestOptions): ApiPromise<Suppression> {
    return this.call('POST /v1/suppressions', { body: params, options });
  }

  /**
   * Checks whether an address is suppressed.
   *
   * @example
   * const { suppressed } = await mailkeel.suppressions.check({ email: 'ann@example.com' });
   */
  check(params: Query<'suppressions.check'>, options?: RequestOptions): ApiPromise<SuppressionCheck> {
    return this.call('GET /v1/suppressions/check', { query: params, options });
  }

  /**
   * Removes an address from the suppression list and reactivates its contact.
   *
   * @example
   * await mailkeel.suppressions.delete('ann@example.com');
   */
  delete(
    email: string,
    params: Query<'suppressions.delete'> = {},
    options?: RequestOptions,
  ): ApiPromise<SuppressionDeleted> {
    return this.call('DELETE /v1/suppressions/{email}', { path: [email], query: params, options });
  }

  /**
   * Suppresses many addresses from an array of objects, CSV or JSON Lines. Invalid entries are counted in `failed`.
   *
   * @example
   * const { failed } = await mailkeel.suppressions.import([{ email: 'ann@example.com' }]);
   */
  import(
    rows: RowsFile | readonly SuppressionImportItem[],
    params: RowsFormat = {},
    options?: RequestOptions,
  ): ApiPromise<SuppressionImport> {
    const parts = rowsToSend(rows, params).then((file) => ({ ...file, options, isKeyless: true }));
    return this.call('POST /v1/suppressions/import', parts);
  }

  /**
   * Downloads the suppression list as CSV or JSON Lines. Returns the Response with an unread body.
   *
   * @example
   * const csv = await (await mailkeel.suppressions.export({ format: 'csv' })).text();
   */
  export(params: Query<'suppressions.export'> = {}, options?: RequestOptions): ApiPromise<Response> {
    return this.download('GET /v1/suppressions/export', { query: params, options });
  }
}
