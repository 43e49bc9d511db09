// Drafts: replies that are written in a thread and sent later.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import { mailToSend } from '../mail-params.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  Draft,
  DraftCreateParams,
  DraftDeleted,
  DraftSend,
  DraftUpdateParams,
  Message,
} from '../types.js';

export class Drafts extends Resource {
  /**
   * Stores a reply in a conversation without sending it. Accepts the same attachments as `messages.create`.
   *
   * @example
   * const draft = await mailkeel.drafts.create('thr_01kdyak3se4w5amvgkazjzkvb7', { text: 'It is on its way.' });
   */
  create(threadId: string, params: DraftCreateParams, options?: RequestOptions): ApiPromise<Draft> {
    const parts = mailToSend(params, this.config).then((body) => ({ path: [threadId], body, options }));
    return this.call('POST /v1/threads/{id}/drafts', parts);
  }

  /**
   * Lists drafts, newest first.
   *
   * @example
   * for await (const { id, text } of mailkeel.drafts.list({ state: 'open' })) console.log(id, text);
   */
  list(params: Query<'drafts.list'> = {}, options?: RequestOptions): List<Draft> {
    return this.pages('GET /v1/drafts', { query: params, options });
  }

  /**
   * Returns a draft.
   *
   * @example
   * const { state } = await mailkeel.drafts.get('drf_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Draft> {
    return this.call('GET /v1/drafts/{id}', { path: [id], options });
  }

  /**
   * Downloads an attachment of an open draft by its zero-based index in `attachments`. Returns the Response with an unread body.
   *
   * @example
   * const file = await mailkeel.drafts.getAttachment('drf_01kdyak3se4w5amvgkazjzkvb7', 0);
   * const blob = await file.blob();
   */
  getAttachment(id: string, index: number, options?: RequestOptions): ApiPromise<Response> {
    return this.download('GET /v1/drafts/{id}/attachments/{index}', { path: [id, index], options });
  }

  /**
   * Replaces fields of a draft. With `version`, it fails if someone has changed the draft since.
   *
   * @example
   * await mailkeel.drafts.update('drf_01kdyak3se4w5amvgkazjzkvb7', { text: 'It ships today.', version: 1 });
   */
  update(id: string, params: DraftUpdateParams, options?: RequestOptions): ApiPromise<Draft> {
    const parts = mailToSend(params, this.config).then((body) => ({ path: [id], body, options }));
    return this.call('PATCH /v1/drafts/{id}', parts);
  }

  /**
   * Deletes a draft.
   *
   * @example
   * await mailkeel.drafts.delete('drf_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<DraftDeleted> {
    return this.call('DELETE /v1/drafts/{id}', { path: [id], options });
  }

  /**
   * Sends a draft once. Repeating the request returns the same message.
   *
   * @example
   * const message = await mailkeel.drafts.send('drf_01kdyak3se4w5amvgkazjzkvb7', { version: 1 });
   */
  send(id: string, params: DraftSend = {}, options?: RequestOptions): ApiPromise<Message> {
    return this.call('POST /v1/drafts/{id}/send', { path: [id], body: params, options });
  }
}
