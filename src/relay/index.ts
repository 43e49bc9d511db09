// Wires the relay: its two submission listeners.
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import { relayLimits } from '../inbound/listener-settings.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Log } from '../lib/runtime/log.js';
import { createClientAdmission } from '../lib/smtp-server/client-admission.js';
import { createSmtpListener, type CertificateSource } from '../lib/smtp-server/listener.js';
import { createSignInGuard } from '../lib/smtp-server/sign-in-guard.js';
import type { Submission } from '../messages/accept/accept.js';
import type { Config } from '../settings/settings.js';
import type { RelayStores } from './stores.js';
import { createRelay, type RelayAccount, type RelayDeps } from './relay.js';

export interface RelayListenerDeps {
  store: RelayStores;
  config: Config;
  certificates: CertificateSource;
  credentials: CredentialCache;
  submission: Submission;
  clock: Clock;
  log: Log;
}

type RelayParts = Pick<RelayDeps, 'parse' | 'isStorageFull'>;

/** The listeners with STARTTLS and with implicit TLS, which share their limits. */
export function createRelayListeners(deps: RelayListenerDeps, parts: RelayParts) {
  const { store, config, certificates, credentials, submission, clock, log } = deps;
  const hooks = createRelay({
    ...parts,
    store,
    findKey: (secret) => credentials.find(secret),
    keyUsed: (keyId) => credentials.used(keyId),
    submission,
    settings: {
      hostname: config.hostname,
      checksSender: config.relayChecksSender,
      reportMode: config.relayDsn,
    },
    clock,
  });
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
