// Finds recipients who respond to mail, for routes that prefer them for direct delivery.
import { gather } from '../lib/concurrency/index.js';
import { type Clock, createLruCache } from '../lib/runtime/index.js';
import type { Engagement } from '../outbound/route/side-chooser.js';
import type { EngagementStore, MailedAddress } from './engagement.store.js';

/** Period (ms) in which a response counts. */
const ENGAGED_MS = 90 * 86_400_000;
/** Time (ms) for which an answer is reused. */
const REMEMBERED_MS = 10 * 60_000;
const MOST_REMEMBERED = 20_000;
/** Number of newest messages that are examined, and the number below which the result is not meaningful. */
const SAMPLE = 2_000;
const MIN_SAMPLE = 100;
/** Addresses of one query. */
const TOGETHER = 64;

interface EngagedRecipientsContext {
  store: { engagement: EngagementStore };
  clock: Clock;
}

export class EngagedRecipients implements Engagement {
  readonly #store: EngagementStore;
  readonly #clock: Clock;
  readonly #known = createLruCache<string, 'engaged' | 'other'>(MOST_REMEMBERED, { ttl: REMEMBERED_MS });
  readonly #ask = gather<MailedAddress, boolean>((addresses) => {
    const responded = this.#respondedAmong(addresses);
    return addresses.map(async (address) => (await responded).has(keyOf(address)));
  });

  constructor({ store, clock }: EngagedRecipientsContext) {
    this.#store = store.engagement;
    this.#clock = clock;
  }

  async isEngaged(address: MailedAddress): Promise<boolean> {
    const key = keyOf(address);
    const known = this.#known.get(key);
    if (known !== undefined) return known === 'engaged';
    const isEngaged = await this.#ask(address);
    this.#known.set(key, isEngaged ? 'engaged' : 'other');
    return isEngaged;
  }

  async shareOfMail(): Promise<number> {
    const addresses = await this.#store.newestRecipients(SAMPLE);
    if (addresses.length < MIN_SAMPLE) return 0;
    const responded = await this.#respondedAmong(addresses);
    return addresses.filter((address) => responded.has(keyOf(address))).length / addresses.length;
  }

  async #respondedAmong(addresses: readonly MailedAddress[]): Promise<Set<string>> {
    const since = this.#clock() - ENGAGED_MS;
    const byEnvironment = new Map<number, Set<string>>();
    for (const { environmentId, addressKey } of addresses) {
      const keys = byEnvironment.get(environmentId) ?? new Set();
      byEnvironment.set(environmentId, keys.add(addressKey));
    }
    const found = new Set<string>();
    for (const [environmentId, ofEnvironment] of byEnvironment) {
      const keys = [...ofEnvironment];
      for (let i = 0; i < keys.length; i += TOGETHER) {
        const some = keys.slice(i, i + TOGETHER);
        for (const addressKey of await this.#store.respondedAmong(environmentId, some, since))
          found.add(keyOf({ environmentId, addressKey }));
      }
    }
    return found;
  }
}

function keyOf({ environmentId, addressKey }: MailedAddress): string {
  return `${environmentId} ${addressKey}`;
}
