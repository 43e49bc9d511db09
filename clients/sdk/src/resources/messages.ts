// Messages: send them, find them, and read their delivery status.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import { batchToSend, messageToSend, rawToSend } from '../mail-params.js';
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
  RawMessageCreateParams,
  SandboxAddress,
  SandboxAddressList,
  SimulateRequest,
  WebhookDelivery,
  WebhookDeliveryList,
} from '../types.js';

export class Messages extends Resource {
  /**
   * Sends a message, or schedules it with `send_at`. The response has status `queued`; later changes are reported as
   * events. Pass attachments as files (`path`), bytes, Blobs or streams, and use `react` instead of `html` to render
   * a React Email element. Fails with `sender_not_verified` if the From address is not yours,
   * `recipient_not_a_contact` or `postal_address_required` for marketing and sales messages, and `quota_exceeded` if
   * the plan's limit has been reached.
   *
   * @example
   * const message = await mailkeel.messages.create({ to: 'ann@example.com', from: 'news@customer.example', subject: 'Welcome', html: '<p>Good to have you here.</p>' });
   */
  create(params: MessageCreateParams, options?: RequestOptions): ApiPromise<Message> {
    const parts = messageToSend(params, this.config).then((body) => ({ body, options }));
    return this.call('POST /v1/messages', parts);
  }

  /**
   * Sends several messages in one request. The results have the same order as the request. If a message is refused,
   * its result contains `{ error }` and the other messages are still sent.
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
   * Sends a whole MIME message, which another library has composed. The recipients default to those in its header.
   * Fails with `sender_not_verified` if one of its senders is not yours.
   *
   * @example
   * const raw = new TextEncoder().encode('From: news@customer.example\r\nTo: ann@example.com\r\nSubject: Welcome\r\n\r\nHello.\r\n');
   * const message = await mailkeel.messages.createRaw({ raw, to: ['ann@example.com'] });
   */
  createRaw(params: RawMessageCreateParams, options?: RequestOptions): ApiPromise<Message> {
    const parts = rawToSend(params).then((body) => ({ body, options }));
    return this.call('POST /v1/messages/raw', parts);
  }

  /**
   * Lists messages, newest first. Filter by status, recipient, sender, tag, time and more. Use `view: 'summary'` for
   * compact objects.
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
   * Returns a message with its status. If the message bounced, `error` contains the reason.
   *
   * @example
   * const { status, error } = await mailkeel.messages.get('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Message> {
    return this.call('GET /v1/messages/{id}', { path: [id], options });
  }

  /**
   * Reschedules a scheduled or queued message. Fails with `message_not_cancelable` once sending has started.
   *
   * @example
   * await mailkeel.messages.update('msg_01kdyak3se4w5amvgkazjzkvb7', { send_at: '2027-03-01T10:00:00+01:00' });
   */
  update(id: string, params: MessageUpdate, options?: RequestOptions): ApiPromise<Message> {
    return this.call('PATCH /v1/messages/{id}', { path: [id], body: params, options });
  }

  /**
   * Cancels a scheduled or queued message. Fails with `message_not_cancelable` once sending has started.
   *
   * @example
   * await mailkeel.messages.cancel('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  cancel(id: string, options?: RequestOptions): ApiPromise<Message> {
    return this.call('POST /v1/messages/{id}/cancel', { path: [id], options });
  }

  /**
   * Sends the same content to the same recipient again as a new message. Fails with `recipient_suppressed` if the
   * recipient is suppressed.
   *
   * @example
   * const again = await mailkeel.messages.resend('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  resend(id: string, options?: RequestOptions): ApiPromise<Message> {
    return this.call('POST /v1/messages/{id}/resend', { path: [id], options });
  }

  /**
   * Retries a deferred or held message now. If the outcome of the last attempt is unknown, the recipient may get a
   * duplicate.
   *
   * @example
   * await mailkeel.messages.retry('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  retry(id: string, options?: RequestOptions): ApiPromise<Message> {
    return this.call('POST /v1/messages/{id}/retry', { path: [id], options });
  }

  /**
   * Explains the status of a message in plain language and suggests next steps.
   *
   * @example
   * const explanation = await mailkeel.messages.explain('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  explain(id: string, options?: RequestOptions): ApiPromise<Explanation> {
    return this.call('GET /v1/messages/{id}/explain', { path: [id], options });
  }

  /**
   * Returns the audit trail of a message in chronological order: every step with its actor and time.
   *
   * @example
   * const { trail } = await mailkeel.messages.getAudit('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  getAudit(id: string, options?: RequestOptions): ApiPromise<MessageAudit> {
    return this.call('GET /v1/messages/{id}/audit', { path: [id], options });
  }

  /**
   * Returns the subject, HTML and text of a message as rendered. Throws NotFoundError once the content has passed
   * its retention period.
   *
   * @example
   * const { html } = await mailkeel.messages.getContent('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  getContent(id: string, options?: RequestOptions): ApiPromise<MessageContent> {
    return this.call('GET /v1/messages/{id}/content', { path: [id], options });
  }

  /**
   * Downloads a message as sent (message/rfc822), including signatures. Returns the Response with an unread body.
   *
   * @example
   * const eml = await mailkeel.messages.getRaw('msg_01kdyak3se4w5amvgkazjzkvb7');
   * const octets = new Uint8Array(await eml.arrayBuffer());
   */
  getRaw(id: string, options?: RequestOptions): ApiPromise<Response> {
    return this.download('GET /v1/messages/{id}/raw', { path: [id], options });
  }

  /**
   * Downloads an attachment by its zero-based index in `attachments`. Returns the Response with an unread body.
   *
   * @example
   * const file = await mailkeel.messages.getAttachment('msg_01kdyak3se4w5amvgkazjzkvb7', 0);
   * const blob = await file.blob();
   */
  getAttachment(id: string, index: number, options?: RequestOptions): ApiPromise<Response> {
    return this.download('GET /v1/messages/{id}/attachments/{index}', { path: [id, index], options });
  }

  /**
   * Returns a signed proof of a message and its audit trail that anyone can verify. Use `proofs.verify` to verify it
   * on the server, or `proofs.verifyOffline` in this package to verify it without a server.
   *
   * @example
   * const proof = await mailkeel.messages.getProof('msg_01kdyak3se4w5amvgkazjzkvb7');
   */
  getProof(id: string, options?: RequestOptions): ApiPromise<Proof> {
    return this.call('GET /v1/messages/{id}/proof', { path: [id], options });
  }

  /**
   * Lists the delivery attempts of a message with their SMTP conversations, oldest first.
   *
   * @example
   * for await (const attempt of mailkeel.messages.listAttempts('msg_01kdyak3se4w5amvgkazjzkvb7')) console.log(attempt.outcome);
   */
  listAttempts(id: string, options?: RequestOptions): List<Attempt, AttemptList> {
    return this.pages('GET /v1/messages/{id}/attempts', { path: [id], options });
  }

  /**
   * Lists the webhook deliveries of a message with every attempt, newest first.
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
   * Simulates the outcome of a sandbox message or an action of its recipient. Fails with `not_sandbox` for live
   * messages, and with `outcome_impossible` if the outcome cannot follow the current status.
   *
   * @example
   * await mailkeel.messages.simulate('msg_01kdyak3se4w5amvgkazjzkvb7', { event: 'complained' });
   */
  simulate(id: string, params: SimulateRequest, options?: RequestOptions): ApiPromise<Message> {
    return this.call('POST /v1/messages/{id}/simulate', { path: [id], body: params, options });
  }

  /**
   * Lists the sandbox addresses and the outcome each one simulates.
   *
   * @example
   * const { data } = await mailkeel.messages.listSandboxAddresses();
   */
  listSandboxAddresses(options?: RequestOptions): List<SandboxAddress, SandboxAddressList> {
    return this.pages('GET /v1/sandbox/addresses', { options });
  }
}
