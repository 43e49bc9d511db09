// One session to a destination: hosts and addresses in their order, TLS when offered, in clear after a failed handshake
// (RFC 7435: opportunistic security protects from listeners, and a peer's broken TLS must not stop its mail).
import type { SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { Credentials } from '../../net/smtp/auth.js';
import type { SmtpSession } from '../../net/smtp/client-session.js';
import { connectSmtp, type ConnectOutcome } from '../../net/smtp/connect.js';
import type { SmtpTimeouts } from '../../net/smtp/timeouts.js';
import type { SmtpTlsOptions } from '../../net/smtp/tls-facts.js';
import type { ReplyPhase } from '../../rules/bounce-class.js';
import type { RouteHost } from '../../rules/mx.js';
import type { Reply } from './outcome.js';

/** How long a peer whose handshake failed is spoken to in clear. */
const BROKEN_TLS_MS = 3 * 86_400_000;
const BROKEN_TLS_PEERS = 10_000;

export interface ConnectorSettings {
  port: number;
  ehloName: string;
  timeouts: Partial<SmtpTimeouts>;
  tlsMode: SmtpTlsOptions['mode'];
  /** A certificate that does not verify ends the connection. */
  verifyTls: boolean;
  secureContext: SecureContext;
  auth?: Credentials;
}

export type Connected =
  | { kind: 'ready'; session: SmtpSession }
  | { kind: 'refused'; phase: ReplyPhase; reply: Reply; host: string; address: string }
  | { kind: 'unreachable'; phase: ReplyPhase; error: string; host: string; address: string };

export interface Connector {
  /** Tries the hosts until one is ready. A 4xx ends the search (the next host would say the same); a 5xx greeting does not. */
  connect(hosts: readonly RouteHost[]): Promise<Connected>;
}

export function createConnector(settings: ConnectorSettings): Connector {
  const brokenTls = new LRUCache<string, true>({ max: BROKEN_TLS_PEERS, ttl: BROKEN_TLS_MS });

  function open(host: string, address: string, mode: SmtpTlsOptions['mode']): Promise<ConnectOutcome> {
    return connectSmtp({
      host,
      address,
      port: settings.port,
      ehloName: settings.ehloName,
      timeouts: settings.timeouts,
      tls: { mode, verify: settings.verifyTls, secureContext: settings.secureContext },
      ...(settings.auth ? { auth: settings.auth } : {}),
    });
  }

  async function tryAddress(host: string, address: string): Promise<ConnectOutcome> {
    const mode = settings.tlsMode === 'opportunistic' && brokenTls.has(address) ? 'none' : settings.tlsMode;
    const outcome = await open(host, address, mode);
    if (outcome.kind === 'ready' || !outcome.retryWithoutTls) return outcome;
    const plain = await open(host, address, 'none');
    // A peer that is no better in clear was only unwell.
    if (plain.kind === 'ready') brokenTls.set(address, true);
    return plain;
  }

  return {
    async connect(hosts) {
      let last: Connected | null = null;
      for (const { host, addresses } of hosts) {
        for (const address of addresses) {
          const outcome = await tryAddress(host, address);
          if (outcome.kind === 'ready') return outcome;
          const { phase, reply, error } = outcome;
          last = reply
            ? { kind: 'refused', phase, reply, host, address }
            : { kind: 'unreachable', phase, error, host, address };
          if (reply && reply.code < 500) return last;
        }
      }
      return (
        last ?? {
          kind: 'unreachable',
          phase: 'connect',
          error: 'no address to connect to',
          host: '',
          address: '',
        }
      );
    },
  };
}
