// Bulk actions: one action on everything that a filter finds, in the background.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  BulkAction,
  BulkActionList,
  BulkActionOnContacts,
  BulkActionOnMessages,
  BulkActionPreview,
} from '../types.js';

export class BulkActions extends Resource {
  /**
   * Resends or cancels all messages that match a filter, or suppresses their recipients. With `dry_run`, returns the
   * number of matches and some examples without changing anything.
   *
   * @example
   * const preview = await mailkeel.bulkActions.createForMessages({ action: 'resend', filter: { status: ['failed'] }, dry_run: true });
   */
  createForMessages(
    params: BulkActionOnMessages,
    options?: RequestOptions,
  ): ApiPromise<BulkActionPreview | BulkAction> {
    return this.call('POST /v1/bulk-actions/messages', { body: params, options });
  }

  /**
   * Tags, untags, suppresses or deletes all contacts that match a filter, or adds them to a list or removes them from
   * it. With `dry_run`, returns the number of matches and some examples without changing anything.
   *
   * @example
   * await mailkeel.bulkActions.createForContacts({ action: 'tag', tags: ['vip'], filter: { tag: 'customer' } });
   */
  createForContacts(
    params: BulkActionOnContacts,
    options?: RequestOptions,
  ): ApiPromise<BulkActionPreview | BulkAction> {
    return this.call('POST /v1/bulk-actions/contacts', { body: params, options });
  }

  /**
   * Lists bulk actions.
   *
   * @example
   * const actions = await mailkeel.bulkActions.list();
   */
  list(params: Query<'bulkActions.list'> = {}, options?: RequestOptions): List<BulkAction, BulkActionList> {
    return this.pages('GET /v1/bulk-actions', { query: params, options });
  }

  /**
   * Returns a bulk action with its progress.
   *
   * @example
   * const action = await mailkeel.bulkActions.get('bact_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<BulkAction> {
    return this.call('GET /v1/bulk-actions/{id}', { path: [id], options });
  }

  /**
   * Cancels a bulk action. Changes made so far are not reverted.
   *
   * @example
   * await mailkeel.bulkActions.cancel('bact_01kdyak3se4w5amvgkazjzkvb7');
   */
  cancel(id: string, options?: RequestOptions): ApiPromise<BulkAction> {
    return this.call('POST /v1/bulk-actions/{id}/cancel', { path: [id], options });
  }
}
