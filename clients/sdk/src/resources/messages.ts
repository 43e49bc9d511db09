// Messages: send them, find them, and read what became of them.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import { batchToSend, messageToSend } from '../mail-params.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  Attempt,
  AttemptList,
  Explanation,
  ListView,
  Message,
  MessageAudit,
  MessageBatch,
  MessageBatchCreateParams,
  MessageContent,
  MessageCreateParams,
  MessageSummary,
  MessageUpdate,
  Proof,
  SandboxAddress,
  SandboxAddressList,
  SimulateRequest,
  WebhookDelivery,
  WebhookDeliveryList,
} from '../types.js';

export class Messages extends Resource {
  /**
   * Sends a message, or schedules it with `send_at`. The answer says `queued`; what becomes of it comes as
   * events. Attachments may be files (`path`), bytes, Blobs or streams, and `react` takes a React Email
   * element in place of `html`. Refused with `sender_not_verified` for a From that is not yours,
   * `recipient_not_a_contact` and `postal_address_required` for marketing and sales mail, `quota_exceeded`
   * when the plan is used up.
   *
   * @example
   * const message = await mailkeel.messages.create({ to: 'ann@example.com', from: 'news@customer.example', subject: 'Welcome', html: '<p>Good to have you here.</p>' });
   */
  create(params: MessageCreateParams, options?: RequestOptions): ApiPromise<Message> {
    const parts = messageToSend(params, this.config).then((body) => ({ body, options }));
    return this.call('POST /v1/messages', parts);
  }

  /**
   * Sends many messages at once; each has a result of its own, in the order of the request. A message that
   * is refused does not stop the others: its place holds `{ error }`.
   *
   * @example
   * const batch = await mailkeel.messages.createBatch({ messages: [{ to: 'ann@example.com', template: 'welcome' }] });
   * for (const item of batch.data) console.log('object' in item ? item.id : item.error.code);
   */
  createBatch(params: MessageBatchCreateParams, options?: RequestOptions): ApiPromise<MessageBatch> {
    const parts = batchToSend(params, this.config).then((body) => ({ body, options }));
    return this.call('POST /v1/messages/batch', parts);
  }

  /**
   * Lists messages, newest first, by status, recipient, sender, tag, time and more. With `view: 'summary'`
   * the rows are small.
   *
   * @example
   * for await (const message of mailkeel.messages.list({ status: ['bounced'] })) console.log(message.id, message.to);
   */
  list<V extends ListView = 'full'>(
    params: Query<'messages.list'> & { view?: V } = {},
    options?: RequestOptions,
  ): List<V extends 'summary' ? MessageSummary : Message> {
    return this.pages<V extends 'summary' ? MessageSummary : Message>('GET /v1/messages', {
      query: params,
      options,
    });
  }

  /**
   * Reads a message: its status and, where it bounced, `error` with the reason.
   *
   * @example
   * const { status, error } = await mailkeel.messages.get('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Message> {
    return this.call('GET /v1/messages/{id}', { path: [id], options });
  }

  /**
   * Gives a scheduled or queued message another time. Refused with `message_not_cancelable` once it is being
   * sent.
   *
   * @example
   * await mailkeel.messages.update('msg_01kdyak3se4w5amvgkazjzkvb7', { send_at: '2027-03-01T10:00:00+01:00' });
   */
  update(id: string, params: MessageUpdate, options?: RequestOptions): ApiPromise<Message> {
    return this.call('PATCH /v1/messages/{id}', { path: [id], body: params, options });
  }

  /**
   * Cancels a scheduled or queued message. Refused with `message_not_cancelable` once it is being sent.
   *
   * @example
   * await mailkeel.messages.cancel('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  cancel(id: string, options?: RequestOptions): ApiPromise<Message> {
    return this.call('POST /v1/messages/{id}/cancel', { path: [id], options });
  }

  /**
   * Sends the same content to the same recipient again, as a new message. Refused with
   * `recipient_suppressed` where the recipient gets no more mail.
   *
   * @example
   * const again = await mailkeel.messages.resend('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  resend(id: string, options?: RequestOptions): ApiPromise<Message> {
    return this.call('POST /v1/messages/{id}/resend', { path: [id], options });
  }

  /**
   * Tries a deferred or held message now. A message whose last attempt ended in doubt may arrive twice.
   *
   * @example
   * await mailkeel.messages.retry('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  retry(id: string, options?: RequestOptions): ApiPromise<Message> {
    return this.call('POST /v1/messages/{id}/retry', { path: [id], options });
  }

  /**
   * Says in plain words where a message is, why, and what to do about it.
   *
   * @example
   * const explanation = await mailkeel.messages.explain('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  explain(id: string, options?: RequestOptions): ApiPromise<Explanation> {
    return this.call('GET /v1/messages/{id}/explain', { path: [id], options });
  }

  /**
   * Reads the audit trail of a message, in time order: every step, who took it, and when.
   *
   * @example
   * const { trail } = await mailkeel.messages.getAudit('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  getAudit(id: string, options?: RequestOptions): ApiPromise<MessageAudit> {
    return this.call('GET /v1/messages/{id}/audit', { path: [id], options });
  }

  /**
   * Reads what a message says: subject, html and text as they were rendered. Not found once retention has
   * removed the content.
   *
   * @example
   * const { html } = await mailkeel.messages.getContent('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  getContent(id: string, options?: RequestOptions): ApiPromise<MessageContent> {
    return this.call('GET /v1/messages/{id}/content', { path: [id], options });
  }

  /**
   * Downloads a message as it goes on the wire (message/rfc822), signatures included. Gives the Response
   * with its body unread.
   *
   * @example
   * const eml = await mailkeel.messages.getRaw('msg_01kdyak3se4w5amvgkazjzkvb7');
   * const octets = new Uint8Array(await eml.arrayBuffer());
   */
  getRaw(id: string, options?: RequestOptions): ApiPromise<Response> {
    return this.download('GET /v1/messages/{id}/raw', { path: [id], options });
  }

  /**
   * Downloads a file of a message by its place in `attachments`, from 0. Gives the Response with its body
   * unread.
   *
   * @example
   * const file = await mailkeel.messages.getAttachment('msg_01kdyak3se4w5amvgkazjzkvb7', 0);
   * const blob = await file.blob();
   */
  getAttachment(id: string, index: number, options?: RequestOptions): ApiPromise<Response> {
    return this.download('GET /v1/messages/{id}/attachments/{index}', { path: [id, index], options });
  }

  /**
   * Issues a signed proof of a message and its audit trail, which anyone can check: `proofs.verify` asks the
   * server, `proofs.verifyOffline` of this package needs none.
   *
   * @example
   * const proof = await mailkeel.messages.getProof('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  getProof(id: string, options?: RequestOptions): ApiPromise<Proof> {
    return this.call('GET /v1/messages/{id}/proof', { path: [id], options });
  }

  /**
   * Lists every attempt to deliver a message with the SMTP conversation, oldest first.
   *
   * @example
   * for await (const attempt of mailkeel.messages.listAttempts('msg_01kdyak3se4w5amvgkazjzkvb7')) console.log(attempt.outcome);
   */
  listAttempts(id: string, options?: RequestOptions): List<Attempt, AttemptList> {
    return this.pages('GET /v1/messages/{id}/attempts', { path: [id], options });
  }

  /**
   * Lists the webhook deliveries of a message, newest first, with every attempt.
   *
   * @example
   * const deliveries = await mailkeel.messages.listDeliveries('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  listDeliveries(
    id: string,
    params: Query<'messages.listDeliveries'> = {},
    options?: RequestOptions,
  ): List<WebhookDelivery, WebhookDeliveryList> {
    return this.pages('GET /v1/messages/{id}/deliveries', { path: [id], query: params, options });
  }

  /**
   * Decides what becomes of a sandbox message, or what its recipient does. Refused with `not_sandbox` for
   * live mail, and `outcome_impossible` where it cannot follow what happened before.
   *
   * @example
   * await mailkeel.messages.simulate('msg_01kdyak3se4w5amvgkazjzkvb7', { event: 'complained' });
   */
  simulate(id: string, params: SimulateRequest, options?: RequestOptions): ApiPromise<Message> {
    return this.call('POST /v1/messages/{id}/simulate', { path: [id], body: params, options });
  }

  /**
   * Lists the addresses of the mailbox simulator, and what each does.
   *
   * @example
   * const { data } = await mailkeel.messages.listSandboxAddresses();
   */
  listSandboxAddresses(options?: RequestOptions): List<SandboxAddress, SandboxAddressList> {
    return this.pages('GET /v1/sandbox/addresses', { options });
  }
}
