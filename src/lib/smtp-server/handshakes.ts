// Performs implicit TLS (RFC 8314) on accepted sockets. Each handshake has a deadline, and failures only
// reach the debug log.
import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions, type TLSSocket } from 'node:tls';
import type { Log } from '../runtime/index.js';
import { type CertificatePair, MIN_TLS_VERSION, NO_AUTHORITIES } from '../tls/index.js';

export interface Handshakes {
  /** Calls `done` once TLS is established, or destroys the socket. */
  secure(socket: Socket, done: (secured: TLSSocket) => void): void;
  /** Used for handshakes from now on. */
  useCertificate(pair: CertificatePair): void;
  /** Destroys the sockets whose handshakes are incomplete. */
  drop(): void;
}

interface Waiting {
  socket: Socket;
  deadline: NodeJS.Timeout;
  done: (secured: TLSSocket) => void;
}

export function createHandshakes(options: { pair: CertificatePair; limitMs: number; log: Log }): Handshakes {
  const { pair, limitMs, log } = options;
  const inProgress = new Map<string, Waiting>();
  // Node's own time-out measures silence, which a client that drips bytes never reaches.
  const server = createServer({ ...secureContext(pair), handshakeTimeout: 2 * limitMs });

  server.on('secureConnection', (secured) => {
    const key = connectionEnds(secured);
    const waiting = inProgress.get(key);
    inProgress.delete(key);
    clearTimeout(waiting?.deadline);
    if (waiting === undefined) secured.destroy();
    else waiting.done(secured);
  });
  server.on('tlsClientError', (err) => log.debug({ err }, 'SMTP TLS handshake failed'));

  return {
    secure(socket, done) {
      const key = connectionEnds(socket);
      const deadline = setTimeout(() => socket.destroy(), limitMs).unref();
      inProgress.set(key, { socket, deadline, done });
      socket.once('close', () => {
        clearTimeout(deadline);
        inProgress.delete(key);
      });
      server.emit('connection', socket);
    },
    useCertificate: (next) => server.setSecureContext(secureContext(next)),
    drop() {
      for (const { socket } of inProgress.values()) socket.destroy();
    },
  };
}

function secureContext({ key, cert }: CertificatePair): SecureContextOptions {
  return { key, cert, ...NO_AUTHORITIES, minVersion: MIN_TLS_VERSION };
}

/** Identifies a connection by its two ends, which the socket and the TLS socket over it both know. */
function connectionEnds(socket: Socket): string {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
