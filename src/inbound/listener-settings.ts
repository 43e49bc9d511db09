// Computes the limits of the inbound and relay listeners from the settings.
import type { LockoutTerms } from '../lib/rate-limits/index.js';
import type { Config } from '../settings/settings.js';
import type { AdmissionLimits, ListenerLimits } from '../lib/smtp-server/index.js';

interface InboundLimits {
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

interface RelayLimits extends InboundLimits {
  lockout: LockoutTerms;
}

/** Both ports share the admission. Quotas and throttles limit how much a signed-in sender sends. */
export function relayLimits(config: Config): RelayLimits {
  const half = Math.ceil(config.relayConnections / 2);
  return {
    // Signed-in senders are known, so every recipient may be wrong.
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
      // A platform may send all its mail from one address, and some programs open a session for each message.
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

/** Longer timers would fire immediately. */
const timerMs = (ms: number): number => Math.min(ms, 2 ** 31 - 1);
