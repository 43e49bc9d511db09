// Senders: the addresses and domains that you may send from.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { Sender, SenderAuthentication, SenderCreate, SenderDeleted, SenderList } from '../types.js';

export class Senders extends Resource {
  /**
   * Adds a sender address, which its owner confirms by email, or a sender domain, which you verify with DNS records.
   * Fails with `domain_taken`.
   *
   * @example
   * const sender = await mailkeel.senders.create({ domain: 'customer.example' });
   */
  create(params: SenderCreate, options?: RequestOptions): ApiPromise<Sender> {
    return this.call('POST /v1/senders', { body: params, options });
  }

  /**
   * Lists senders.
   *
   * @example
   * for await (const sender of mailkeel.senders.list()) console.log(sender.id, sender.status);
   */
  list(params: Query<'senders.list'> = {}, options?: RequestOptions): List<Sender, SenderList> {
    return this.pages('GET /v1/senders', { query: params, options });
  }

  /**
   * Returns a sender with the DNS records to publish.
   *
   * @example
   * const sender = await mailkeel.senders.get('snd_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<Sender> {
    return this.call('GET /v1/senders/{id}', { path: [id], options });
  }

  /**
   * Deletes a sender. Mailkeel no longer signs messages with the keys of a deleted domain.
   *
   * @example
   * await mailkeel.senders.delete('snd_01kdyak3se4w5amvgkazjzkvb7');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<SenderDeleted> {
    return this.call('DELETE /v1/senders/{id}', { path: [id], options });
  }

  /**
   * Returns the result of the last check of each DNS record of a domain, with advice.
   *
   * @example
   * const authentication = await mailkeel.senders.getAuthentication('snd_01kdyak3se4w5amvgkazjzkvb7');
   */
  getAuthentication(id: string, options?: RequestOptions): ApiPromise<SenderAuthentication> {
    return this.call('GET /v1/senders/{id}/authentication', { path: [id], options });
  }

  /**
   * Checks the DNS records of a domain now, or emails the owner of an address a new confirmation link.
   *
   * @example
   * const { status } = await mailkeel.senders.verify('snd_01kdyak3se4w5amvgkazjzkvb7');
   */
  verify(id: string, options?: RequestOptions): ApiPromise<Sender> {
    return this.call('POST /v1/senders/{id}/verify', { path: [id], options });
  }

  /**
   * Makes an address the default From address of messages.
   *
   * @example
   * await mailkeel.senders.makeDefault('snd_01kdyak3se4w5amvgkazjzkvb7');
   */
  makeDefault(id: string, options?: RequestOptions): ApiPromise<Sender> {
    return this.call('POST /v1/senders/{id}/default', { path: [id], options });
  }
}
