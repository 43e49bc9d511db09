// Lists of contacts, and segments, which are lists made by a filter.
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
   * Lists the lists.
   *
   * @example
   * for await (const list of mailkeel.lists.list()) console.log(list.name);
   */
  list(params: Query<'lists.list'> = {}, options?: RequestOptions): List<MailingList, MailingListList> {
    return this.pages('GET /v1/lists', { query: params, options });
  }

  /**
   * Makes a list; with a filter it is a segment.
   *
   * @example
   * const list = await mailkeel.lists.create({ name: 'Newsletter', double_opt_in: true });
   */
  create(params: MailingListCreate, options?: RequestOptions): ApiPromise<MailingList> {
    return this.call('POST /v1/lists', { body: params, options });
  }

  /**
   * Counts who a segment would take, and shows some of them. Nothing is kept.
   *
   * @example
   * const { contacts } = await mailkeel.lists.preview({ filter: { all: [{ field: 'tag', op: 'has', value: 'vip' }] } });
   */
  preview(params: ListPreviewRequest, options?: RequestOptions): ApiPromise<ListPreview> {
    return this.call('POST /v1/lists/preview', { body: params, options });
  }

  /**
   * Reads a list.
   *
   * @example
   * const list = await mailkeel.lists.get('lst_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<MailingList> {
    return this.call('GET /v1/lists/{id}', { path: [id], options });
  }

  /**
   * Changes a list. A segment stays one, and no other list becomes one.
   *
   * @example
   * await mailkeel.lists.update('lst_01kdyak3se4w5amvgkazjzkvb7', { name: 'News' });
   */
  update(id: string, params: MailingListUpdate, options?: RequestOptions): ApiPromise<MailingList> {
    return this.call('PATCH /v1/lists/{id}', { path: [id], body: params, options });
  }

  /**
   * Deletes a list; its contacts stay.
   *
   * @example
   * await mailkeel.lists.delete('lst_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<ContactListDeleted> {
    return this.call('DELETE /v1/lists/{id}', { path: [id], options });
  }

  /**
   * Lists the distinct tags of the subscribed members, the most frequent first.
   *
   * @example
   * const { data: tags } = await mailkeel.lists.listTags('lst_01kdyak3se4w5amvgkazjzkvb7');
   */
  listTags(id: string, options?: RequestOptions): List<ListTag, ListTagList> {
    return this.pages('GET /v1/lists/{id}/tags', { path: [id], options });
  }

  /**
   * Reads who joined and left, day by day.
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
   * Makes the publishable key with which a form of any site signs people up. The key before it works no
   * more.
   *
   * @example
   * const { publishable_key } = await mailkeel.lists.rotatePublishableKey('lst_01kdyak3se4w5amvgkazjzkvb7');
   */
  rotatePublishableKey(id: string, options?: RequestOptions): ApiPromise<MailingList> {
    return this.call('POST /v1/lists/{id}/publishable-key', { path: [id], options });
  }

  /**
   * Takes the publishable key away: forms with it sign up nobody.
   *
   * @example
   * await mailkeel.lists.deletePublishableKey('lst_01kdyak3se4w5amvgkazjzkvb7');
   */
  deletePublishableKey(id: string, options?: RequestOptions): ApiPromise<MailingList> {
    return this.call('DELETE /v1/lists/{id}/publishable-key', { path: [id], options });
  }

  /**
   * Lists the members of a list, or the contacts that a segment takes, newest contact first.
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
   * Puts one contact onto a list, or up to 1,000 by their ids. Refused with `contact_left_list` for who left
   * on their own, unless `resubscribe` is true, and `list_is_segment`.
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
   * Takes a contact off a list; it stays a contact.
   *
   * @example
   * await mailkeel.lists.removeContact('lst_01kdyak3se4w5amvgkazjzkvb7', 'con_01kdyak3se4w5amvgkazjzkvb7');
   */
  removeContact(id: string, contactId: string, options?: RequestOptions): ApiPromise<ListMemberRemoved> {
    return this.call('DELETE /v1/lists/{id}/contacts/{contact_id}', { path: [id, contactId], options });
  }

  /**
   * Signs somebody up as they asked; a mail asks them to confirm where the list has double opt-in.
   *
   * @example
   * await mailkeel.lists.subscribe({ list_id: 'lst_01kdyak3se4w5amvgkazjzkvb7', email: 'ann@example.com' });
   */
  subscribe(params: SubscribeRequest, options?: RequestOptions): ApiPromise<Subscription> {
    return this.call('POST /v1/subscribe', { body: params, options });
  }
}
