// TLS from the start (RFC 8314) on sockets that were accepted before: handshakes have a deadline and speak for nothing.
import type { Socket } from 'node:net';
import { createServer, type SecureContextOptions, type TLSSocket } from 'node:tls';
import type { Log } from '../runtime/index.js';
import { type CertificatePair, MIN_TLS_VERSION, NO_AUTHORITIES } from '../tls/index.js';

export interface Handshakes {
  /** Calls once TLS stands; when it does not come about the socket is destroyed. */
  secure(socket: Socket, done: (secured: TLSSocket) => void): void;
  /** For handshakes from now on. */
  useCertificate(pair: CertificatePair): void;
  /** Destroys what is still shaking hands. */
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
  // Its own time-out is one of silence, which a client that drips never keeps.
  const server = createServer({ ...secured(pair), handshakeTimeout: 2 * limitMs });

  server.on('secureConnection', (secured) => {
    const key = endsOf(secured);
    const waiting = inProgress.get(key);
    inProgress.delete(key);
    clearTimeout(waiting?.deadline);
    if (waiting === undefined) secured.destroy();
    else waiting.done(secured);
  });
  server.on('tlsClientError', (err) => log.debug({ err }, 'SMTP TLS handshake failed'));

  return {
    secure(socket, done) {
      const key = endsOf(socket);
      const deadline = setTimeout(() => socket.destroy(), limitMs).unref();
      inProgress.set(key, { socket, deadline, done });
      socket.once('close', () => {
        clearTimeout(deadline);
        inProgress.delete(key);
      });
      server.emit('connection', socket);
    },
    useCertificate: (next) => server.setSecureContext(secured(next)),
    drop() {
      for (const { socket } of inProgress.values()) socket.destroy();
    },
  };
}

function secured({ key, cert }: CertificatePair): SecureContextOptions {
  return { key, cert, ...NO_AUTHORITIES, minVersion: MIN_TLS_VERSION };
}

/** The one thing that a socket and the TLS over it both know of themselves. */
function endsOf(socket: Socket): string {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
