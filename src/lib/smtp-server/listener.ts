// A listener for mail that comes in by SMTP (RFC 5321), for the Internet (no AUTH) and for our own senders (AUTH, RFC 4954;
// STARTTLS, RFC 3207, or TLS from the start, RFC 8314). It keeps the limits; what is taken and kept is for its hooks.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, type TLSSocket } from 'node:tls';
import type { Log } from '../runtime/index.js';
import { type CertificatePair, NO_AUTHORITIES } from '../tls/index.js';
import type { ClientAdmission, Visit } from './client-admission.js';
import { createDialogue, type Dialogue, type SessionTerms } from './dialogue.js';
import { createHandshakes } from './handshakes.js';
import type { ListenerHooks, ServerReply } from './hooks.js';
import { createProtocol } from './protocol.js';
import { GIVES_WAY, NOT_SIGNED_IN, SESSION_REFUSALS, SHUTTING_DOWN } from './replies.js';
import type { SignInGuard } from './sign-in-guard.js';

export interface CertificateSource {
  current(): CertificatePair;
  /** Calls after every change; the answer ends that. */
  onChange(listener: () => void): () => void;
}

export interface ListenerLimits extends Omit<SessionTerms, 'sizeLimit'> {
  /** Octets of one message, as SIZE announces them. */
  sizeLimit: number;
  /** Of one transaction. */
  recipients: number;
  /** Longest silence. RFC 5321 section 4.5.3.2.7 asks for 5 minutes. */
  idleMs: number;
  /** Time from the connection to the sign-in, where clients have to sign in. */
  signInMs: number;
}

/** A client from the accepted socket on. */
interface Guest {
  visit: Visit;
  socket: Socket;
  /** Ends the session with this reply, or without it before there is a session. */
  giveWay: (reply: ServerReply) => void;
  left: () => void;
}

export interface SmtpListenerOptions<Account, Target> {
  /** Our host name, for the greeting. */
  name: string;
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Taken when `port` is a well-known one (25, 465, 587) that is in use or not allowed to us. */
  fallbackPort: number | null;
  /** TLS from the start; otherwise STARTTLS. */
  implicitTls: boolean;
  /** Null: no TLS at all. */
  certificates: CertificateSource | null;
  /** Null: no AUTH. Listeners that share a guard share its lock-outs. */
  signIn: { guard: SignInGuard; authInClear: boolean } | null;
  /**
   * A CR or LF that stands alone becomes CRLF, for programs of our own senders. Otherwise such a message is refused: strangers
   * could smuggle with it. The end of a message is CRLF dot CRLF either way.
   */
  mendsLineEnds: boolean;
  /** STARTTLS also takes TLS 1.0 and 1.1: encryption that is out of date, in place of none. */
  oldTls: boolean;
  /** Offers REQUIRETLS (RFC 8689) under TLS. */
  requireTls: boolean;
  limits: ListenerLimits;
  admission: ClientAdmission;
  hooks: ListenerHooks<Account, Target>;
  log: Log;
}

export interface ListeningAt {
  host: string;
  port: number;
  /** Why it is not the port that was asked for, such as `EACCES`; null when it is. */
  insteadBecause: string | null;
}

export interface SmtpListener {
  /** Rejects when neither port can be had. */
  start(): Promise<ListeningAt>;
  /** Sessions with a message under way end after its reply, within the time; the others hear 421 at once. */
  stop(graceMs: number): Promise<void>;
  sessions(): number;
}

const WELL_KNOWN_PORTS = [25, 465, 587];
/** At most; never longer than a silence may be. */
const HANDSHAKE_MS = 30_000;
/** For a client to hear a last reply and to close, before the socket goes. */
const FAREWELL_MS = 1_000;
const MAX_FAREWELLS = 200;
/** Beside ten replies for each recipient of a transaction. */
const MAX_IDLE_REPLIES = 1_000;

export function createSmtpListener<Account, Target>(
  options: SmtpListenerOptions<Account, Target>,
): SmtpListener {
  const { admission, limits, certificates, implicitTls, log } = options;
  const open = new Set<Dialogue>();
  const sockets = new Set<Socket>();
  const handshakeMs = Math.min(HANDSHAKE_MS, limits.idleMs);
  let farewells = 0;
  let accepted = 0;
  let forgetCertificates = (): void => undefined;

  const protocol = createProtocol({
    ...options,
    ...limits,
    certificate: certificates?.current() ?? null,
    offersAuth: options.signIn !== null,
    connection: {
      authInClear: options.signIn?.authInClear ?? false,
      requireTls: options.requireTls,
      maxIdleReplies: MAX_IDLE_REPLIES + 10 * limits.recipients,
      handshakeMs,
      farewellMs: FAREWELL_MS,
    },
  });
  const handshakes =
    certificates !== null && implicitTls
      ? createHandshakes({ pair: certificates.current(), limitMs: handshakeMs, log })
      : null;
  const server = createServer({ noDelay: true }, accept);

  function accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const ip = socket.remoteAddress;
    if (ip === undefined) {
      socket.destroy();
      return;
    }
    const entered = admission.enter(ip, () => guest.giveWay(GIVES_WAY));
    if ('refusal' in entered) {
      refuseClient(socket, SESSION_REFUSALS[entered.refusal]);
      return;
    }
    const { visit } = entered;
    const signInTimer = setTimeout(() => {
      if (options.signIn !== null && !visit.seat.isSignedIn) guest.giveWay(NOT_SIGNED_IN);
    }, limits.signInMs).unref();
    const guest: Guest = {
      visit,
      socket,
      giveWay: () => socket.destroy(),
      left() {
        clearTimeout(signInTimer);
        visit.seat.leave();
        sockets.delete(socket);
      },
    };
    sockets.add(socket);
    // Not emitted after STARTTLS, which strips the socket; then `closed` of the dialogue does it.
    socket.once('close', () => guest.left());
    if (handshakes === null) begin(socket, guest);
    else handshakes.secure(socket, (secured) => begin(secured, guest));
  }

  function begin(socket: Socket | TLSSocket, guest: Guest): void {
    accepted += 1;
    protocol.open(socket, `${accepted.toString(36)}-${guest.socket.remotePort ?? 0}`, (connection) => {
      const closed = (): void => {
        open.delete(dialogue);
        guest.left();
      };
      const dialogue = createDialogue({ ...options, connection, visit: guest.visit, terms: limits, closed });
      open.add(dialogue);
      guest.giveWay = (reply) => dialogue.giveWay(reply);
      return dialogue;
    });
  }

  function refuseClient(socket: Socket, reply: ServerReply): void {
    if (implicitTls || farewells >= MAX_FAREWELLS) {
      socket.destroy();
      return;
    }
    farewells += 1;
    const timer = setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
    socket.once('close', () => {
      farewells -= 1;
      clearTimeout(timer);
    });
    // Unread, its end would never be noticed.
    socket.resume();
    socket.end(`${reply.code} ${reply.enhanced} ${options.name} ${reply.text}\r\n`);
  }

  function changeCertificate(pair: CertificatePair): void {
    try {
      // Looked at before: the library forgets the old one even when it cannot read the new one.
      createSecureContext({ ...pair, ...NO_AUTHORITIES });
      protocol.useCertificate(pair);
      handshakes?.useCertificate(pair);
    } catch (err) {
      log.error({ err }, 'SMTP listener rejected the new certificate: previous certificate remains in use');
    }
  }

  return {
    async start() {
      if (certificates !== null) {
        forgetCertificates = certificates.onChange(() => changeCertificate(certificates.current()));
      }
      const insteadBecause = await listen(server, options);
      const { address, port } = server.address() as AddressInfo;
      return { host: address, port, insteadBecause };
    },
    async stop(graceMs) {
      forgetCertificates();
      const isClosed = new Promise<void>((resolve) => server.close(() => resolve()));
      handshakes?.drop();
      for (const dialogue of open) dialogue.end(SHUTTING_DOWN);
      const end = setTimeout(() => {
        for (const dialogue of open) dialogue.cut();
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await isClosed;
      clearTimeout(end);
    },
    sessions: () => open.size,
  };
}

/** Why it is the other port, or null. */
async function listen(
  server: Server,
  { host, port, fallbackPort }: { host: string; port: number; fallbackPort: number | null },
): Promise<string | null> {
  const code = await tryToListen(server, { host, port });
  if (code === null) return null;
  if (fallbackPort === null || !WELL_KNOWN_PORTS.includes(port)) throw cannotListen(host, port, code);
  const second = await tryToListen(server, { host, port: fallbackPort });
  if (second !== null) throw cannotListen(host, fallbackPort, second);
  return code;
}

/** `EACCES` or `EADDRINUSE`, or null when it listens; rejects on anything else. */
function tryToListen(server: Server, at: { host: string; port: number }): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.removeListener('listening', done);
      if (error.code === 'EACCES' || error.code === 'EADDRINUSE') resolve(error.code);
      else reject(error);
    };
    const done = (): void => {
      server.removeListener('error', failed);
      resolve(null);
    };
    server.once('error', failed);
    server.once('listening', done);
    server.listen(at);
  });
}

function cannotListen(host: string, port: number, code: string): Error {
  return Object.assign(new Error(`can't listen on ${host}:${port} (${code})`), { code });
}
