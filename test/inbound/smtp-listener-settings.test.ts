import { describe, expect, it } from 'vitest';
import { inboundLimits, relayLimits } from '../../src/inbound/listener-settings.js';
import { loadConfig } from '../../src/settings/load.js';
import { tuned } from '../support/tuning.js';

const configOf = (env: Record<string, string>): ReturnType<typeof loadConfig>['config'] =>
  loadConfig({ env: { MAILKEEL_HOSTNAME: 'mx.example.com', ...env } }).config;

describe('the limits of a listener', () => {
  it('are those of the settings', () => {
    const config = configOf({
      MAILKEEL_INBOUND_UNLIMITED_CLIENTS: '192.0.2.0/24, 2001:db8::1',
      MAILKEEL_INBOUND_CONNECTION_RATE: '10/s',
    });
    const { listener, admission } = inboundLimits(config);
    expect(listener).toEqual({
      sizeLimit: 35 * 1024 * 1024,
      recipients: 100,
      wrongRecipients: 10,
      idleMs: 300_000,
      sessionMs: 1_800_000,
      dataMs: 600_000,
      dataRate: 500,
      dataWindowMs: 30_000,
      signInMs: 30_000,
      maxReceived: 50,
    });
    expect(admission).toMatchObject({
      sessions: { total: 500, perAddress: 20, perNetwork: 50, unsigned: null, scarceIdleMs: 15_000 },
      sessionsPerMinute: 600,
      messagesPerMinute: 3_000,
      unlimitedClients: ['192.0.2.0/24', '2001:db8::1'],
    });
    expect(relayLimits(config)).toMatchObject({
      admission: {
        sessions: { total: 200, perAddress: 50, perNetwork: 100, unsigned: 100, perAccount: 100 },
        messagesPerMinute: 0,
        unlimitedClients: [],
      },
      lockout: { failures: 10, lockoutMs: 900_000 },
    });
  });

  it('exclude unreadable ranges and timers that would fire immediately', () => {
    expect(() => inboundLimits(configOf({ MAILKEEL_INBOUND_UNLIMITED_CLIENTS: '10.0.0.0/8,home' }))).toThrow(
      /MAILKEEL_INBOUND_UNLIMITED_CLIENTS must be IP addresses or CIDR ranges, .* not "10.0.0.0\/8,home"/,
    );
    const { listener } = inboundLimits(configOf(tuned({ inboundSessionLimitMs: 5_184_000_000 })));
    expect(listener.sessionMs).toBe(2 ** 31 - 1);
  });
});
