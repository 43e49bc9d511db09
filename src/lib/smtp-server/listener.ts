// Listens for mail over SMTP (RFC 5321): from the Internet (without AUTH) and from customers' own senders
// (AUTH, RFC 4954; STARTTLS, RFC 3207, or implicit TLS, RFC 8314). The listener enforces limits; its hooks
// decide which mail to accept and store.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, type TLSSocket } from 'node:tls';
import type { Log } from '../runtime/index.js';
import { type CertificatePair, NO_AUTHORITIES } from '../tls/index.js';
import type { ClientAdmission, Visit } from './client-admission.js';
import { createDialogue, type Dialogue, type SessionTerms } from './dialogue.js';
import { createHandshakes, type Handshakes } from './handshakes.js';
import type { ListenerHooks, ServerReply } from './hooks.js';
import { createProtocol } from './protocol.js';
import { GIVES_WAY, NOT_SIGNED_IN, SESSION_REFUSALS, SHUTTING_DOWN } from './replies.js';
import type { SignInGuard } from './sign-in-guard.js';

export interface CertificateSource {
  current(): CertificatePair;
  /** Subscribes to certificate changes. Call the result to unsubscribe. */
  onChange(listener: () => void): () => void;
}

export interface ListenerLimits extends Omit<SessionTerms, 'sizeLimit'> {
  /** Octets of one message, announced as SIZE. */
  sizeLimit: number;
  /** Recipients of one transaction. */
  recipients: number;
  /** Maximum silence. RFC 5321 section 4.5.3.2.7 asks for 5 minutes. */
  idleMs: number;
  /** Time allowed from connection to sign-in, if clients must sign in. */
  signInMs: number;
}

/** A client from its accepted socket on. */
interface Guest {
  visit: Visit;
  socket: Socket;
  /** Ends the session with this reply, or silently if there is no session yet. */
  giveWay: (reply: ServerReply) => void;
  left: () => void;
}

export interface SmtpListenerOptions<Account, Target> {
  /** The server's host name, for the greeting. */
  name: string;
  host: string;
  /** 0 picks a free port. */
  port: number;
  /** Used if `port` is a well-known one (25, 465, 587) and is taken or not permitted. */
  fallbackPort: number | null;
  /** Starts with TLS; otherwise offers STARTTLS. */
  implicitTls: boolean;
  /** `null` disables TLS. */
  certificates: CertificateSource | null;
  /** `null` disables AUTH. Listeners that share a guard share its lock-outs. */
  signIn: { guard: SignInGuard; authInClear: boolean } | null;
  /**
   * Turns a bare CR or LF into CRLF, for programs of trusted senders. Otherwise such a message is refused, because attackers could
   * use it for smuggling. A message ends with CRLF dot CRLF either way.
   */
  mendsLineEnds: boolean;
  /** Lets STARTTLS accept TLS 1.0 and 1.1, because outdated encryption is better than none. */
  oldTls: boolean;
  /** Offers REQUIRETLS (RFC 8689) under TLS. */
  requireTls: boolean;
  limits: ListenerLimits;
  admission: ClientAdmission;
  hooks: ListenerHooks<Account, Target>;
  log: Log;
}

interface ListeningAt {
  host: string;
  port: number;
  /** The error that ruled out the requested port, such as `EACCES`; `null` if that port is used. */
  insteadBecause: string | null;
}

export interface SmtpListener {
  /** Rejects if neither port is available. */
  start(): Promise<ListeningAt>;
  /**
   * Stops accepting. Sessions with a message in progress end after its reply, within `graceMs`; the others
   * get 421 immediately.
   */
  stop(graceMs: number): Promise<void>;
  sessions(): number;
}

const WELL_KNOWN_PORTS = [25, 465, 587];
/** Upper limit of a handshake, shortened to the maximum silence. */
const HANDSHAKE_MS = 30_000;
/** Time for a client to read the last reply and close before the socket is destroyed. */
const FAREWELL_MS = 1_000;
const MAX_FAREWELLS = 200;
/** Allowed in addition to ten replies per recipient of a transaction. */
const MAX_IDLE_REPLIES = 1_000;

export function createSmtpListener<Account, Target>(
  options: SmtpListenerOptions<Account, Target>,
): SmtpListener {
  const { admission, limits, certificates, implicitTls, log } = options;
  const open = new Set<Dialogue>();
  const sockets = new Set<Socket>();
  let accepted = 0;
  let forgetCertificates = (): void => undefined;

  const protocol = openProtocol(options);
  const handshakes = certificates !== null && implicitTls ? openHandshakes(options, certificates) : null;
  const refuseClient = createFarewells(options.name, implicitTls);
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
    const guest = createGuest(socket, entered.visit, options, () => sockets.delete(socket));
    sockets.add(socket);
    // STARTTLS strips the socket, which then never emits this event; the dialogue's `closed` does the work
    // instead.
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

  return {
    async start() {
      if (certificates !== null) {
        forgetCertificates = certificates.onChange(() =>
          changeCertificate(certificates.current(), [protocol, handshakes], log),
        );
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

function openProtocol<Account, Target>(options: SmtpListenerOptions<Account, Target>) {
  const { limits, certificates, signIn, requireTls } = options;
  return createProtocol({
    ...options,
    ...limits,
    certificate: certificates?.current() ?? null,
    offersAuth: signIn !== null,
    connection: {
      authInClear: signIn?.authInClear ?? false,
      requireTls,
      maxIdleReplies: MAX_IDLE_REPLIES + 10 * limits.recipients,
      handshakeMs: handshakeMs(limits),
      farewellMs: FAREWELL_MS,
    },
  });
}

function openHandshakes(
  { limits, log }: { limits: ListenerLimits; log: Log },
  certificates: CertificateSource,
): Handshakes {
  return createHandshakes({ pair: certificates.current(), limitMs: handshakeMs(limits), log });
}

function handshakeMs({ idleMs }: ListenerLimits): number {
  return Math.min(HANDSHAKE_MS, idleMs);
}

function changeCertificate(
  pair: CertificatePair,
  users: readonly (Pick<Handshakes, 'useCertificate'> | null)[],
  log: Log,
): void {
  try {
    // Checked first, because the library drops the old certificate even if it cannot read the new one.
    createSecureContext({ ...pair, ...NO_AUTHORITIES });
    for (const user of users) user?.useCertificate(pair);
  } catch (err) {
    log.error({ err }, 'SMTP listener rejected the new certificate: previous certificate remains in use');
  }
}

/** Creates a guest, whose session must sign in within the limit if the listener has AUTH. */
function createGuest(
  socket: Socket,
  visit: Visit,
  { signIn, limits }: { signIn: object | null; limits: ListenerLimits },
  forget: () => void,
): Guest {
  const signInTimer = setTimeout(() => {
    if (signIn !== null && !visit.seat.isSignedIn) guest.giveWay(NOT_SIGNED_IN);
  }, limits.signInMs).unref();
  const guest: Guest = {
    visit,
    socket,
    giveWay: () => socket.destroy(),
    left() {
      clearTimeout(signInTimer);
      visit.seat.leave();
      forget();
    },
  };
  return guest;
}

/** Returns a function that refuses a client with a reply, or silently if that needs TLS or is too much. */
function createFarewells(name: string, implicitTls: boolean) {
  let farewells = 0;
  return (socket: Socket, reply: ServerReply): void => {
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
    // An unread socket would never report its end.
    socket.resume();
    socket.end(`${reply.code} ${reply.enhanced} ${name} ${reply.text}\r\n`);
  };
}

/** Returns the error that made it use the other port, or `null`. */
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

/** Resolves to `EACCES` or `EADDRINUSE`, or to `null` once it listens; rejects on any other error. */
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
