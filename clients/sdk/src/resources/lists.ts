// Lists of contacts, and segments, which are lists defined by a filter.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  ContactListDeleted,
  ListAddition,
  ListGrowth,
  ListMember,
  ListMemberAdd,
  ListMemberList,
  ListMemberRemoved,
  ListPreview,
  ListPreviewRequest,
  ListTag,
  ListTagList,
  MailingList,
  MailingListCreate,
  MailingListList,
  MailingListUpdate,
  SubscribeRequest,
  Subscription,
} from '../types.js';

export class Lists extends Resource {
  /**
   * Lists contact lists and segments.
   *
   * @example
   * for await (const list of mailkeel.lists.list()) console.log(list.name);
   */
  list(params: Query<'lists.list'> = {}, options?: RequestOptions): List<MailingList, MailingListList> {
    return this.pages('GET /v1/lists', { query: params, options });
  }

  /**
   * Creates a list, or a segment if you set a filter.
   *
   * @example
   * const list = await mailkeel.lists.create({ name: 'Newsletter', double_opt_in: true });
   */
  create(params: MailingListCreate, options?: RequestOptions): ApiPromise<MailingList> {
    return this.call('POST /v1/lists', { body: params, options });
  }

  /**
   * Counts the contacts that match a segment filter and returns some of them. Nothing is saved.
   *
   * @example
   * const { contacts } = await mailkeel.lists.preview({ filter: { all: [{ field: 'tag', op: 'has', value: 'vip' }] } });
   */
  preview(params: ListPreviewRequest, options?: RequestOptions): ApiPromise<ListPreview> {
    return this.call('POST /v1/lists/preview', { body: params, options });
  }

  /**
   * Returns a list.
   *
   * @example
   * const list = await mailkeel.lists.get('lst_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<MailingList> {
    return this.call('GET /v1/lists/{id}', { path: [id], options });
  }

  /**
   * Updates a list. A list cannot be converted to or from a segment.
   *
   * @example
   * await mailkeel.lists.update('lst_01kdyak3se4w5amvgkazjzkvb7', { name: 'News' });
   */
  update(id: string, params: MailingListUpdate, options?: RequestOptions): ApiPromise<MailingList> {
    return this.call('PATCH /v1/lists/{id}', { path: [id], body: params, options });
  }

  /**
   * Deletes a list. Its contacts are not deleted.
   *
   * @example
   * await mailkeel.lists.delete('lst_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<ContactListDeleted> {
    return this.call('DELETE /v1/lists/{id}', { path: [id], options });
  }

  /**
   * Lists the tags of subscribed members, most frequent first.
   *
   * @example
   * const { data: tags } = await mailkeel.lists.listTags('lst_01kdyak3se4w5amvgkazjzkvb7');
   */
  listTags(id: string, options?: RequestOptions): List<ListTag, ListTagList> {
    return this.pages('GET /v1/lists/{id}/tags', { path: [id], options });
  }

  /**
   * Returns the number of contacts that joined and left the list per day.
   *
   * @example
   * const growth = await mailkeel.lists.getGrowth('lst_01kdyak3se4w5amvgkazjzkvb7', { window_days: 30 });
   */
  getGrowth(
    id: string,
    params: Query<'lists.getGrowth'> = {},
    options?: RequestOptions,
  ): ApiPromise<ListGrowth> {
    return this.call('GET /v1/lists/{id}/growth', { path: [id], query: params, options });
  }

  /**
   * Creates or replaces the publishable key, which lets a form on any website sign people up for the list. The
   * previous key stops working.
   *
   * @example
   * const { publishable_key } = await mailkeel.lists.rotatePublishableKey('lst_01kdyak3se4w5amvgkazjzkvb7');
   */
  rotatePublishableKey(id: string, options?: RequestOptions): ApiPromise<MailingList> {
    return this.call('POST /v1/lists/{id}/publishable-key', { path: [id], options });
  }

  /**
   * Deletes the publishable key. Forms that use it can no longer sign people up.
   *
   * @example
   * await mailkeel.lists.deletePublishableKey('lst_01kdyak3se4w5amvgkazjzkvb7');
   */
  deletePublishableKey(id: string, options?: RequestOptions): ApiPromise<MailingList> {
    return this.call('DELETE /v1/lists/{id}/publishable-key', { path: [id], options });
  }

  /**
   * Lists the members of a list or the contacts that match a segment, newest contact first.
   *
   * @example
   * for await (const member of mailkeel.lists.listContacts('lst_01kdyak3se4w5amvgkazjzkvb7')) console.log(member.email);
   */
  listContacts(
    id: string,
    params: Query<'lists.listContacts'> = {},
    options?: RequestOptions,
  ): List<ListMember, ListMemberList> {
    return this.pages('GET /v1/lists/{id}/contacts', { path: [id], query: params, options });
  }

  /**
   * Adds one contact to a list, or up to 1,000 contacts by ID. Fails with `list_is_segment`, or with
   * `contact_left_list` for contacts who unsubscribed from the list, unless `resubscribe` is true.
   *
   * @example
   * await mailkeel.lists.addContacts('lst_01kdyak3se4w5amvgkazjzkvb7', { email: 'ann@example.com' });
   */
  addContacts(
    id: string,
    params: ListMemberAdd,
    options?: RequestOptions,
  ): ApiPromise<ListMember | ListAddition> {
    return this.call('POST /v1/lists/{id}/contacts', { path: [id], body: params, options });
  }

  /**
   * Removes a contact from a list. The contact is not deleted.
   *
   * @example
   * await mailkeel.lists.removeContact('lst_01kdyak3se4w5amvgkazjzkvb7', 'con_01kdyak3se4w5amvgkazjzkvb7');
   */
  removeContact(id: string, contactId: string, options?: RequestOptions): ApiPromise<ListMemberRemoved> {
    return this.call('DELETE /v1/lists/{id}/contacts/{contact_id}', { path: [id, contactId], options });
  }

  /**
   * Subscribes a person at their own request. If the list uses double opt-in, Mailkeel emails them a confirmation
   * link.
   *
   * @example
   * await mailkeel.lists.subscribe({ list_id: 'lst_01kdyak3se4w5amvgkazjzkvb7', email: 'ann@example.com' });
   */
  subscribe(params: SubscribeRequest, options?: RequestOptions): ApiPromise<Subscription> {
    return this.call('POST /v1/subscribe', { body: params, options });
  }
}
