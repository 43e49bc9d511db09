// Wires the relay: its two submission listeners.
import { relayLimits } from '../inbound/listener-settings.js';
import { createClientAdmission, createSignInGuard, createSmtpListener } from '../lib/smtp-server/index.js';
import type { RelayContext } from './context.js';
import { relayHooks, type RelayAccount } from './relay.js';

/** The listeners with STARTTLS and with implicit TLS, which share their limits. */
export function createRelayListeners(context: RelayContext) {
  const { config, certificates, clock, log } = context;
  const hooks = relayHooks(context);
  const limits = relayLimits(config);
  const admission = createClientAdmission({ limits: limits.admission, clock });
  const guard = createSignInGuard({ terms: limits.lockout, clock });
  const shared = {
    name: config.hostname,
    host: config.inboundHost,
    certificates,
    signIn: { guard, authInClear: config.relayAllowInsecureAuth },
    mendsLineEnds: true,
    oldTls: false,
    requireTls: true,
    limits: limits.listener,
    admission,
    hooks,
    log,
  };
  const plain = createSmtpListener<RelayAccount, null>({
    ...shared,
    port: config.relayPort,
    fallbackPort: 2587,
    implicitTls: false,
  });
  const secure = createSmtpListener<RelayAccount, null>({
    ...shared,
    port: config.relayTlsPort,
    fallbackPort: 2465,
    implicitTls: true,
  });
  return { plain, secure };
}
