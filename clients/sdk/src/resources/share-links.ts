// Share links: pages that show one message, or the DNS records of one domain, to anyone with the link.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  ShareDns,
  ShareLink,
  ShareLinkCreated,
  ShareLinkDeleted,
  ShareLinkList,
  ShareMessage,
} from '../types.js';

export class ShareLinks extends Resource {
  /**
   * Creates a link to a status page for a message. The URL is only returned by this call. The page omits the subject
   * and text unless `include_content` is true.
   *
   * @example
   * const { url } = await mailkeel.shareLinks.createForMessage('msg_01kdyak3se4w5amvgkazjzkvb7', { expires_in_days: 7 });
   */
  createForMessage(
    id: string,
    params?: ShareMessage,
    options?: RequestOptions,
  ): ApiPromise<ShareLinkCreated> {
    return this.call('POST /v1/messages/{id}/share', { path: [id], body: params ?? {}, options });
  }

  /**
   * Creates a link to a page with the current DNS records of a sender domain.
   *
   * @example
   * const { url } = await mailkeel.shareLinks.createForSender('snd_01kdyak3se4w5amvgkazjzkvb7');
   */
  createForSender(id: string, params?: ShareDns, options?: RequestOptions): ApiPromise<ShareLinkCreated> {
    return this.call('POST /v1/senders/{id}/share', { path: [id], body: params ?? {}, options });
  }

  /**
   * Creates a link to a page with the current DNS records of a sub-tenant's domain.
   *
   * @example
   * const { url } = await mailkeel.shareLinks.createForSubTenant('external:4711');
   */
  createForSubTenant(id: string, params?: ShareDns, options?: RequestOptions): ApiPromise<ShareLinkCreated> {
    return this.call('POST /v1/sub-tenants/{id}/share', { path: [id], body: params ?? {}, options });
  }

  /**
   * Lists share links, including those that expired or were deleted in the last 30 days.
   *
   * @example
   * const links = await mailkeel.shareLinks.list();
   */
  list(params: Query<'shareLinks.list'> = {}, options?: RequestOptions): List<ShareLink, ShareLinkList> {
    return this.pages('GET /v1/share-links', { query: params, options });
  }

  /**
   * Deletes a share link. It stops working immediately.
   *
   * @example
   * await mailkeel.shareLinks.delete('shl_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<ShareLinkDeleted> {
    return this.call('DELETE /v1/share-links/{id}', { path: [id], options });
  }
}
