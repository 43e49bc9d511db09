// The dependencies of inbound mail, which the program provides.
import type { Room } from '../lib/concurrency/index.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { Keys } from '../lib/secrets/index.js';
import type { CertificateSource } from '../lib/smtp-server/index.js';
import type { QuotaCheck } from '../messages/accept/quota-check.js';
import type { Egress } from '../outbound/route/egress.rules.js';
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import type { Config } from '../settings/settings.js';
import type { InboundStores } from './stores.js';

export interface InboundContext {
  store: InboundStores;
  config: Pick<
    Config,
    | 'authenticateMail'
    | 'bounceDomain'
    | 'dnsAddresses'
    | 'feedbackAddresses'
    | 'feedbackSources'
    | 'hostname'
    | 'inboundDomain'
    | 'inboundMemoryBytes'
    | 'inboundThreads'
    | 'marketingQueueLifetimeMs'
    | 'platformDomain'
    | 'queueLifetimeMs'
  >;
  keys: Pick<Keys, 'tokenKeys'>;
  /** Read for each message, because a reload replaces them. */
  rules: Pick<OutboundRules, 'providers' | 'bounces'> & { egress: Pick<Egress, 'sources' | 'smarthosts'> };
  clock: Clock;
  log: Log;
  /** One of several nodes processes the spool. */
  room?: Room | undefined;
  /** Called when mail was spooled. */
  onSpooled: () => void;
  /** Limits forwarding. */
  quota: Pick<QuotaCheck, 'changes'>;
  /** Called when messages to forward were queued. */
  onQueued: (queueIds: readonly number[]) => void;
  /** Called when events were committed. */
  onEvents: () => void;
  /** Called when delivery reports became due to submitters of relayed mail. */
  onReports: () => void;
}

/** The context of the listener and its reader threads. */
export interface ListenerContext extends InboundContext {
  config: Config;
  certificates: CertificateSource;
  isStorageFull: () => boolean;
}
