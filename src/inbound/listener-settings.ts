// The limits of the two kinds of listener, out of the settings.
import type { LockoutTerms } from '../lib/rate-limits/index.js';
import type { Config } from '../settings/settings.js';
import type { AdmissionLimits, ListenerLimits } from '../lib/smtp-server/index.js';

export interface InboundLimits {
  listener: ListenerLimits;
  admission: AdmissionLimits;
}

export function inboundLimits(config: Config): InboundLimits {
  return {
    listener: listenerLimits(config, config.inboundSizeLimitBytes, config.inboundRecipients),
    admission: {
      sessions: {
        total: config.inboundConnections,
        perAddress: config.inboundConnectionsPerAddress,
        perNetwork: config.inboundConnectionsPerNetwork,
        unsigned: null,
        perAccount: config.inboundConnections,
        scarceIdleMs: config.inboundScarceIdleTimeoutMs,
      },
      sessionsPerMinute: config.inboundConnectionRate,
      messagesPerMinute: config.inboundMessageRate,
      octetsPerHour: config.inboundBytesPerHour,
      memoryOctets: config.inboundMemoryBytes,
      largestMessage: config.inboundSizeLimitBytes,
      unlimitedClients: config.inboundUnlimitedClients,
    },
  };
}

export interface RelayLimits extends InboundLimits {
  lockout: LockoutTerms;
}

/** Both ports share the admission. How much a signed-in sender may send is for quota and throttle, not for this. */
export function relayLimits(config: Config): RelayLimits {
  const half = Math.ceil(config.relayConnections / 2);
  return {
    // Signed-in senders are known: as many wrong recipients as there may be recipients.
    listener: {
      ...listenerLimits(config, config.messageSizeLimitBytes, config.relayRecipients),
      wrongRecipients: Math.max(config.relayRecipients, config.inboundWrongRecipients),
    },
    admission: {
      sessions: {
        total: config.relayConnections,
        perAddress: config.relayConnectionsPerAddress,
        perNetwork: config.relayConnectionsPerNetwork,
        unsigned: half,
        perAccount: half,
        scarceIdleMs: config.inboundScarceIdleTimeoutMs,
      },
      // A platform behind one address sends much, and some programs open a session for each message.
      sessionsPerMinute: 0,
      messagesPerMinute: 0,
      octetsPerHour: 0,
      memoryOctets: config.inboundMemoryBytes,
      largestMessage: config.messageSizeLimitBytes,
      unlimitedClients: [],
    },
    lockout: { failures: config.relayAuthFailures, lockoutMs: config.relayLockoutMs },
  };
}

function listenerLimits(config: Config, sizeLimit: number, recipients: number): ListenerLimits {
  return {
    sizeLimit,
    recipients,
    wrongRecipients: config.inboundWrongRecipients,
    idleMs: timerMs(config.inboundIdleTimeoutMs),
    sessionMs: timerMs(config.inboundSessionLimitMs),
    dataMs: timerMs(config.inboundDataLimitMs),
    dataRate: config.inboundDataRate,
    dataWindowMs: config.inboundDataWindowMs,
    signInMs: timerMs(config.relaySignInTimeoutMs),
    maxReceived: config.inboundMaxReceived,
  };
}

/** Timers that are set for longer go off at once. */
const timerMs = (ms: number): number => Math.min(ms, 2 ** 31 - 1);
