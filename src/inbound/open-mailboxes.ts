// Limits the mail to postmaster and abuse, which accept mail from anyone (RFC 5321 section 4.5.1, RFC 2142): the size of one
// message, the bytes of one client network per day, and the bytes stored in total.
import { type Clock, createLruCache } from '../lib/runtime/index.js';
import type { ServerRefusal } from '../lib/smtp-server/index.js';
import { clientKeys } from '../lib/rate-limits/index.js';
import { allowedAddressTest } from '../lib/addresses/index.js';
import type { InboundContext } from './context.js';

const MIB = 1024 ** 2;
const DAY_MS = 86_400_000;
/** How often the total is read again. Between two reads, accepted messages are added to it. */
const SUM_TTL_MS = 60_000;
const MAX_NETWORKS = 50_000;

interface OpenMailboxLimits {
  messageBytes: number;
  /** For one IPv4 /24 or IPv6 /48 in a UTC day. */
  networkBytesPerDay: number;
  totalBytes: number;
}

const OPEN_MAILBOX_LIMITS: OpenMailboxLimits = {
  messageBytes: 10 * MIB,
  networkBytesPerDay: 50 * MIB,
  totalBytes: 512 * MIB,
};

export class OpenMailboxes {
  readonly #inbound: Pick<InboundContext['store']['inbound'], 'openMailboxBytes'>;
  readonly #limits: OpenMailboxLimits;
  readonly #isFeedbackSource: (address: string) => boolean;
  readonly #clock: Clock;
  readonly #networkBytes = createLruCache<string, number>(MAX_NETWORKS);
  #sum: { readAt: number; bytes: number } | null = null;

  constructor(
    context: {
      store: { inbound: Pick<InboundContext['store']['inbound'], 'openMailboxBytes'> };
      config: Pick<InboundContext['config'], 'feedbackSources'>;
      clock: Clock;
    },
    limits: OpenMailboxLimits = OPEN_MAILBOX_LIMITS,
  ) {
    this.#inbound = context.store.inbound;
    this.#limits = limits;
    this.#isFeedbackSource = allowedAddressTest(context.config.feedbackSources ?? []);
    this.#clock = context.clock;
  }

  /** Counts a message that is about to be stored. Returns a refusal if it exceeds a limit. */
  async take(sizeBytes: number, clientAddress: string): Promise<ServerRefusal | null> {
    const { messageBytes, networkBytesPerDay, totalBytes } = this.#limits;
    if (sizeBytes > messageBytes) {
      const text = `Message exceeds the limit of ${messageBytes} bytes for this mailbox`;
      return { code: 552, enhanced: '5.3.4', text };
    }
    // Complaints are wanted, so only the size of one message limits them.
    if (this.#isFeedbackSource(clientAddress)) return null;
    const now = this.#clock();
    let sum = this.#sum;
    if (sum === null || now < sum.readAt || now - sum.readAt > SUM_TTL_MS) {
      sum = { readAt: now, bytes: await this.#inbound.openMailboxBytes() };
      this.#sum = sum;
    }
    if (sum.bytes + sizeBytes > totalBytes) {
      return { code: 452, enhanced: '4.2.2', text: 'Mailbox full; try again later' };
    }
    const key = `${Math.floor(now / DAY_MS)} ${clientKeys(clientAddress).network}`;
    const used = (this.#networkBytes.get(key) ?? 0) + sizeBytes;
    if (used > networkBytesPerDay) {
      const text = 'Too much mail from your network today; try again tomorrow';
      return { code: 452, enhanced: '4.7.1', text };
    }
    this.#networkBytes.set(key, used);
    sum.bytes += sizeBytes;
    return null;
  }
}
