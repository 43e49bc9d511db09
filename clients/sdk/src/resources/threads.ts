// Threads: the conversations that replies belong to.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import { mailToSend } from '../mail-params.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  ListView,
  Message,
  Thread,
  ThreadInFull,
  ThreadReplyParams,
  ThreadSummary,
  ThreadUpdate,
} from '../types.js';

export class Threads extends Resource {
  /**
   * Lists conversations, most recently active first.
   *
   * @example
   * for await (const thread of mailkeel.threads.list({ status: ['open'] })) console.log(thread.subject);
   */
  list<V extends ListView = 'full'>(
    params: Query<'threads.list'> & { view?: V } = {},
    options?: RequestOptions,
  ): List<V extends 'summary' ? ThreadSummary : Thread> {
    return this.pages<V extends 'summary' ? ThreadSummary : Thread>('GET /v1/threads', {
      query: params,
      options,
    });
  }

  /**
   * Returns a conversation with its latest messages.
   *
   * @example
   * const thread = await mailkeel.threads.get('thr_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<ThreadInFull> {
    return this.call('GET /v1/threads/{id}', { path: [id], options });
  }

  /**
   * Closes or reopens a conversation. A closed conversation reopens automatically when a message arrives.
   *
   * @example
   * await mailkeel.threads.update('thr_01kdyak3se4w5amvgkazjzkvb7', { status: 'closed' });
   */
  update(id: string, params: ThreadUpdate, options?: RequestOptions): ApiPromise<Thread> {
    return this.call('PATCH /v1/threads/{id}', { path: [id], body: params, options });
  }

  /**
   * Replies in a conversation. Sends a transactional message to the correspondent with the headers that keep it in
   * the thread. Accepts the same attachments as `messages.create`.
   *
   * @example
   * await mailkeel.threads.reply('thr_01kdyak3se4w5amvgkazjzkvb7', { text: 'It is on its way.' });
   */
  reply(id: string, params: ThreadReplyParams, options?: RequestOptions): ApiPromise<Message> {
    const parts = mailToSend(params, this.config).then((body) => ({ path: [id], body, options }));
    return this.call('POST /v1/threads/{id}/reply', parts);
  }
}
