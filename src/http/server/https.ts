// Serves the API over TLS with the routes and limits of the plain server. Certificates may change while it runs.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Api } from '../api.js';
import { boundBodyTime, CONNECTION_TERMS } from '../../lib/http/index.js';
import { NO_AUTHORITIES } from '../../lib/tls/index.js';

/** Time (ms) for a client to complete the handshake. */
const HANDSHAKE_MS = 10_000;

/** PEM. */
interface ShownCertificate {
  key: string;
  cert: string;
}

interface HttpsOptions {
  /** With all its routes. */
  app: Api;
  certificates: {
    current(): ShownCertificate;
    subscribe(listener: (certificate: ShownCertificate) => void): () => void;
  };
}

export type HttpsListening =
  | { ok: true; address: AddressInfo }
  /** A sentence that names the port. */
  | { ok: false; reason: string };

export interface HttpsListener {
  /** Listens on an address. A failure is returned as a value, because the plain server works without TLS. */
  listen(at: { host: string; port: number }): Promise<HttpsListening>;
  /** Stops accepting connections, completes open requests, and closes idle connections. */
  close(): Promise<void>;
}

/** Makes `app` ready. No route can be added to it afterwards. */
export async function createHttpsListener({ app, certificates }: HttpsOptions): Promise<HttpsListener> {
  await app.ready();
  let isClosing = false;
  const server = createServer({
    ...secured(certificates.current()),
    ...CONNECTION_TERMS,
    handshakeTimeout: HANDSHAKE_MS,
  });
  takeLimits(server, app);
  app.connections.watch(server);
  boundBodyTime(server);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isClosing) response.setHeader('Connection', 'close');
    app.routing(request, response);
  });
  const secure = new WeakSet<Socket>();
  server.on('secureConnection', (socket) => void secure.add(socket));
  server.on('clientError', (error: Error, socket: Socket) => {
    // Malformed HTTP gets the plain server's answer; a failed handshake cannot be answered.
    if (!secure.has(socket) || !app.server.emit('clientError', error, socket)) socket.destroy();
  });
  const unsubscribe = certificates.subscribe((certificate) => server.setSecureContext(secured(certificate)));
  return {
    async listen(at) {
      try {
        await listening(server, at);
        return { ok: true, address: server.address() as AddressInfo };
      } catch (error) {
        return { ok: false, reason: failureReason(error, at) };
      }
    },
    async close() {
      unsubscribe();
      isClosing = true;
      const stopSweep = app.connections.sweep();
      await new Promise((resolve) => server.close(resolve)); // that it never listened is no fault
      stopSweep();
    },
  };
}

function secured({ key, cert }: ShownCertificate): SecureContextOptions {
  return { key, cert, ...NO_AUTHORITIES, minVersion: 'TLSv1.2' };
}

function takeLimits(server: Server, app: Api): void {
  const plain = app.server;
  server.keepAliveTimeout = plain.keepAliveTimeout;
  server.headersTimeout = plain.headersTimeout;
  server.requestTimeout = plain.requestTimeout;
  server.maxHeadersCount = plain.maxHeadersCount;
  server.maxRequestsPerSocket = plain.maxRequestsPerSocket;
  server.setTimeout(plain.timeout);
}

function listening(server: Server, at: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function failureReason(error: unknown, { host, port }: { host: string; port: number }): string {
  const where = `${host}, port ${port}`;
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE') return `Another program is already listening on ${where} (MAILKEEL_HTTPS_PORT).`;
  if (code === 'EACCES') return `No permission to listen on ${where} (MAILKEEL_HTTPS_PORT).`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no such address: ${where} (MAILKEEL_HTTP_HOST).`;
  return `HTTPS cannot listen on ${where}: ${error instanceof Error ? error.message : String(error)}.`;
}
