// Inboxes: addresses that receive mail, and the messages that arrive.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  Inbox,
  InboxCreate,
  InboxDeleted,
  InboxForward,
  InboxForwardCreate,
  InboxForwardDeleted,
  InboxForwardList,
  InboxMessageList,
  InboxUpdate,
  Message,
} from '../types.js';

export class Inboxes extends Resource {
  /**
   * Creates an inbox, or returns the one that the same `client_id` and parameters created.
   *
   * @example
   * const inbox = await mailkeel.inboxes.create({ domain: 'reply.example.com', client_id: 'support-agent' });
   */
  create(params: InboxCreate, options?: RequestOptions): ApiPromise<Inbox> {
    return this.call('POST /v1/inboxes', { body: params, options });
  }

  /**
   * Lists inboxes, newest first.
   *
   * @example
   * for await (const { address } of mailkeel.inboxes.list()) console.log(address);
   */
  list(params: Query<'inboxes.list'> = {}, options?: RequestOptions): List<Inbox> {
    return this.pages('GET /v1/inboxes', { query: params, options });
  }

  /**
   * Returns an inbox.
   *
   * @example
   * const { address } = await mailkeel.inboxes.get('ibx_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Inbox> {
    return this.call('GET /v1/inboxes/{id}', { path: [id], options });
  }

  /**
   * Changes the name or the policy key of an inbox.
   *
   * @example
   * await mailkeel.inboxes.update('ibx_01kdyak3se4w5amvgkazjzkvb7', { name: 'Support' });
   */
  update(id: string, params: InboxUpdate, options?: RequestOptions): ApiPromise<Inbox> {
    return this.call('PATCH /v1/inboxes/{id}', { path: [id], body: params, options });
  }

  /**
   * Deletes an inbox. Its messages and threads are kept.
   *
   * @example
   * await mailkeel.inboxes.delete('ibx_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<InboxDeleted> {
    return this.call('DELETE /v1/inboxes/{id}', { path: [id], options });
  }

  /**
   * Lists the messages received in an inbox, newest first. With `after`, returns those received later, oldest first.
   * With `wait`, waits up to so many seconds until there is one.
   *
   * @example
   * const after = 'msg_01kdyak3se4w5amvgkazjzkvb7';
   * const { data } = await mailkeel.inboxes.listMessages('ibx_01kdyak3se4w5amvgkazjzkvb7', { after, wait: 30 });
   */
  listMessages(
    id: string,
    params: Query<'inboxes.listMessages'> = {},
    options?: RequestOptions,
  ): List<Message, InboxMessageList> {
    return this.pages('GET /v1/inboxes/{id}/messages', { path: [id], query: params, options });
  }

  /**
   * Forwards the mail of an inbox to an address, once its owner has agreed by the link in an email.
   *
   * @example
   * const { state } = await mailkeel.inboxes.createForward('ibx_01kdyak3se4w5amvgkazjzkvb7', { address: 'ann@example.org' });
   */
  createForward(id: string, params: InboxForwardCreate, options?: RequestOptions): ApiPromise<InboxForward> {
    return this.call('POST /v1/inboxes/{id}/forwards', { path: [id], body: params, options });
  }

  /**
   * Lists the forwarding addresses of an inbox with their state.
   *
   * @example
   * const { data } = await mailkeel.inboxes.listForwards('ibx_01kdyak3se4w5amvgkazjzkvb7');
   */
  listForwards(id: string, options?: RequestOptions): ApiPromise<InboxForwardList> {
    return this.call('GET /v1/inboxes/{id}/forwards', { path: [id], options });
  }

  /**
   * Stops forwarding an inbox to an address.
   *
   * @example
   * await mailkeel.inboxes.deleteForward('ibx_01kdyak3se4w5amvgkazjzkvb7', 'fwd_01kdyak3se4w5amvgkazjzkvb7');
   */
  deleteForward(id: string, forwardId: string, options?: RequestOptions): ApiPromise<InboxForwardDeleted> {
    return this.call('DELETE /v1/inboxes/{id}/forwards/{forward_id}', { path: [id, forwardId], options });
  }

  /**
   * Sends the confirmation email of a forwarding address again.
   *
   * @example
   * await mailkeel.inboxes.confirmForward('ibx_01kdyak3se4w5amvgkazjzkvb7', 'fwd_01kdyak3se4w5amvgkazjzkvb7');
   */
  confirmForward(id: string, forwardId: string, options?: RequestOptions): ApiPromise<InboxForward> {
    return this.call('POST /v1/inboxes/{id}/forwards/{forward_id}/confirm-mail', {
      path: [id, forwardId],
      options,
    });
  }
}
