// Bounds what anybody may leave in postmaster and abuse, which take mail from everybody (RFC 5321 section 4.5.1, RFC 2142): the
// size of one mail, the octets of one client network in a day, and the octets kept in all.
import { type Clock, createLruCache } from '../lib/runtime/index.js';
import type { ServerRefusal } from '../lib/smtp-server/index.js';
import { clientKeys } from '../lib/rate-limits/index.js';
import type { InboundStores } from './stores.js';

const MIB = 1024 ** 2;
const DAY_MS = 86_400_000;
/** The sum is read again that often; in between it grows by what is taken. */
const SUM_TTL_MS = 60_000;
const MAX_NETWORKS = 50_000;

export interface OpenMailboxLimits {
  messageBytes: number;
  /** Of one IPv4 /24 or IPv6 /48 in a UTC day. */
  networkBytesPerDay: number;
  /** Of all that is kept. */
  totalBytes: number;
}

export const OPEN_MAILBOX_LIMITS: OpenMailboxLimits = {
  messageBytes: 10 * MIB,
  networkBytesPerDay: 50 * MIB,
  totalBytes: 512 * MIB,
};

export interface OpenMailboxes {
  /** Counts a mail that is about to be kept; or says why it is not taken. */
  take(sizeBytes: number, clientAddress: string): Promise<ServerRefusal | null>;
}

export function createOpenMailboxes(deps: {
  store: { inbound: Pick<InboundStores['inbound'], 'openMailboxBytes'> };
  limits: OpenMailboxLimits;
  /** Clients whose complaints are wanted: only the size of one mail bounds them. */
  isFeedbackSource: (address: string) => boolean;
  clock: Clock;
}): OpenMailboxes {
  const { store, limits, clock } = deps;
  const ofNetwork = createLruCache<string, number>(MAX_NETWORKS);
  let sum: { readAt: number; bytes: number } | null = null;

  return {
    async take(sizeBytes, clientAddress) {
      if (sizeBytes > limits.messageBytes) {
        const text = `Message exceeds the limit of ${limits.messageBytes} bytes for this mailbox`;
        return { code: 552, enhanced: '5.3.4', text };
      }
      if (deps.isFeedbackSource(clientAddress)) return null;
      const now = clock();
      if (sum === null || now < sum.readAt || now - sum.readAt > SUM_TTL_MS) {
        sum = { readAt: now, bytes: await store.inbound.openMailboxBytes() };
      }
      if (sum.bytes + sizeBytes > limits.totalBytes) {
        return { code: 452, enhanced: '4.2.2', text: 'Mailbox full; try again later' };
      }
      const key = `${Math.floor(now / DAY_MS)} ${clientKeys(clientAddress).network}`;
      const used = (ofNetwork.get(key) ?? 0) + sizeBytes;
      if (used > limits.networkBytesPerDay) {
        return {
          code: 452,
          enhanced: '4.7.1',
          text: 'Too much mail from your network today; try again tomorrow',
        };
      }
      ofNetwork.set(key, used);
      sum.bytes += sizeBytes;
      return null;
    },
  };
}
