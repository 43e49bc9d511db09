// Contacts: the people that marketing and sales mail may go to.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  Contact,
  ContactActivity,
  ContactActivityList,
  ContactDeleted,
  ContactErasure,
  ContactList,
  ContactUpdate,
  ContactUpsert,
} from '../types.js';

export class Contacts extends Resource {
  /**
   * Lists contacts. Filter by tag, status, list or text.
   *
   * @example
   * for await (const contact of mailkeel.contacts.list({ tag: 'vip' })) console.log(contact.email);
   */
  list(params: Query<'contacts.list'> = {}, options?: RequestOptions): List<Contact, ContactList> {
    return this.pages('GET /v1/contacts', { query: params, options });
  }

  /**
   * Creates a contact, or updates the contact with the same address. Omitted fields keep their values.
   *
   * @example
   * const contact = await mailkeel.contacts.upsert({ email: 'ann@example.com', name: 'Ann Smith', tags: ['vip'] });
   */
  upsert(params: ContactUpsert, options?: RequestOptions): ApiPromise<Contact> {
    return this.call('POST /v1/contacts', { body: params, options });
  }

  /**
   * Returns a contact.
   *
   * @example
   * const contact = await mailkeel.contacts.get('con_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Contact> {
    return this.call('GET /v1/contacts/{id}', { path: [id], options });
  }

  /**
   * Updates a contact. Tags and metadata are replaced, not merged.
   *
   * @example
   * await mailkeel.contacts.update('con_01kdyak3se4w5amvgkazjzkvb7', { name: 'Ann Miller' });
   */
  update(id: string, params: ContactUpdate, options?: RequestOptions): ApiPromise<Contact> {
    return this.call('PATCH /v1/contacts/{id}', { path: [id], body: params, options });
  }

  /**
   * Deletes a contact. Suppressions of its address are not removed.
   *
   * @example
   * await mailkeel.contacts.delete('con_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<ContactDeleted> {
    return this.call('DELETE /v1/contacts/{id}', { path: [id], options });
  }

  /**
   * Permanently erases a contact and the content of messages to and from it. You can't undo this.
   *
   * @example
   * await mailkeel.contacts.erase('con_01kdyak3se4w5amvgkazjzkvb7');
   */
  erase(id: string, options?: RequestOptions): ApiPromise<ContactErasure> {
    return this.call('POST /v1/contacts/{id}/erase', { path: [id], options });
  }

  /**
   * Lists the activity of a contact, newest first.
   *
   * @example
   * const activity = await mailkeel.contacts.listActivity('con_01kdyak3se4w5amvgkazjzkvb7');
   */
  listActivity(
    id: string,
    params: Query<'contacts.listActivity'> = {},
    options?: RequestOptions,
  ): List<ContactActivity, ContactActivityList> {
    return this.pages('GET /v1/contacts/{id}/activity', { path: [id], query: params, options });
  }

  /**
   * Downloads contacts as CSV or JSON in a format you can import. Returns the Response with an unread body. To
   * export large numbers of contacts, use `exports.create`.
   *
   * @example
   * const csv = await (await mailkeel.contacts.export({ format: 'csv', tag: 'vip' })).text();
   */
  export(params: Query<'contacts.export'> = {}, options?: RequestOptions): ApiPromise<Response> {
    return this.download('GET /v1/exports/contacts', { query: params, options });
  }

  /**
   * Downloads everything that is stored about a person as one JSON document. Returns the Response with an unread body.
   *
   * @example
   * const document = await (await mailkeel.contacts.exportData('ann@example.com')).json();
   */
  exportData(id: string, options?: RequestOptions): ApiPromise<Response> {
    return this.download('GET /v1/contacts/{id}/export', { path: [id], options });
  }
}
