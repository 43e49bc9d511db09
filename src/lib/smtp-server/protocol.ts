// Sets up the server of the `smtp-server` package for one listener: its extensions, and its callbacks, each
// connected to the dialogue of its session. The package never listens itself.
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';
import type { NotifyKeyword } from '../dsn/index.js';
import type { Log } from '../runtime/index.js';
import { type CertificatePair, MIN_TLS_VERSION, NO_AUTHORITIES, OLD_VERSIONS } from '../tls/index.js';
import { SmtpConnection, type ConnectionTerms } from './connection.js';
import type { Dialogue } from './dialogue.js';
import type { ServerReply } from './hooks.js';
import { FAULT, SIGN_IN_FAULT } from './replies.js';

interface ProtocolOptions {
  /** Host name in the greeting. */
  name: string;
  implicitTls: boolean;
  /** `null` disables TLS. */
  certificate: CertificatePair | null;
  offersAuth: boolean;
  oldTls: boolean;
  requireTls: boolean;
  sizeLimit: number;
  recipients: number;
  idleMs: number;
  connection: ConnectionTerms;
  log: Log;
}

interface Protocol {
  /** Opens a session on the socket. `begin` creates its dialogue before anything is sent. */
  open(socket: Socket, id: string, begin: (connection: SmtpConnection) => Dialogue): void;
  /** Used by STARTTLS from now on. */
  useCertificate(certificate: CertificatePair): void;
}

const MAX_COMMAND_OCTETS = 4_096;
const MAX_COMMANDS_BEFORE_AUTH = 20;
/** Joke commands, and commands with which a client claims to be another one. */
const NEVER = ['WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD'];

type Done = (error?: Error | null) => void;

export function createProtocol(options: ProtocolOptions): Protocol {
  const { log } = options;
  const answers = createAnswers(log);
  const dialogues = new WeakMap<SMTPServerSession, Dialogue>();

  function of(session: SMTPServerSession): Dialogue {
    const found = dialogues.get(session);
    if (found === undefined) throw new Error('a session that this listener did not open');
    return found;
  }

  const server = new SMTPServer({
    ...fixedOptions(options),
    onConnect: (session, done) => answers.decide(session, of(session).connect(), done),
    onSecure(socket, session, done) {
      if (socket instanceof TLSSocket) {
        const { standardName, name } = socket.getCipher();
        of(session).secured({
          protocol: socket.getProtocol() ?? '',
          cipher: standardName || name,
        });
      }
      done();
    },
    onAuth({ method, username = '', password }, session, done) {
      const credentials = { method: method === 'LOGIN' ? 'LOGIN' : 'PLAIN', user: username } as const;
      const decision = of(session)
        .authenticate({ ...credentials, password: password ?? '' })
        .catch((err: unknown) => answers.fault(session, err, SIGN_IN_FAULT));
      answers.decide(session, decision, (error) => (error ? done(error) : done(null, { user: true })));
    },
    onMailFrom: ({ address }, session, done) => answers.decide(session, of(session).mailFrom(address), done),
    onRcptTo(recipient, session, done) {
      // The library lets only these keywords pass.
      const notify = (recipient.dsn?.notify ?? null) as NotifyKeyword[] | null;
      answers.decide(session, of(session).rcptTo(recipient.address, notify, recipient), done);
    },
    onData: (stream, session, done) => answers.receive(stream, session, of(session), done),
    onClose: (session) => of(session).closed(),
  });

  return {
    open(socket, id, begin) {
      const connection = new SmtpConnection(server, socket, id, options.connection);
      dialogues.set(connection.session, begin(connection));
      server.connections.add(connection);
      connection.on('error', (err: Error) => log.debug({ err, session: id }, 'SMTP session failed'));
      connection.init();
    },
    useCertificate({ key, cert }) {
      server.updateSecureContext({ key, cert });
    },
  };
}

/** Passes what dialogues decide to the library's callbacks, and logs errors. */
function createAnswers(log: Log) {
  function fault(session: SMTPServerSession, err: unknown, reply = FAULT): ServerReply {
    log.error({ err, session: session.id }, 'SMTP listener failed');
    return reply;
  }

  function replyFailed(session: SMTPServerSession, err: unknown): void {
    log.error({ err, session: session.id }, 'SMTP reply failed');
  }

  return {
    fault,
    decide(session: SMTPServerSession, decision: Promise<ServerReply | null>, done: Done): void {
      decision
        .catch((err: unknown) => fault(session, err))
        .then(
          (refusal) => done(refusal && asError(refusal)),
          (err: unknown) => replyFailed(session, err),
        );
    },
    receive(
      stream: SMTPServerDataStream,
      session: SMTPServerSession,
      dialogue: Dialogue,
      done: DataDone,
    ): void {
      const intake = dialogue.beginData();
      let isWhole = false;
      stream.on('data', (octets: Buffer) => intake.take(octets));
      stream.once('end', () => {
        isWhole = true;
        dialogue
          .endData(session.envelope.rcptTo)
          .catch((err: unknown) => fault(session, err))
          .then((reply) => {
            if (reply.code < 300) done(null, `${reply.enhanced} ${reply.text}`);
            else done(asError(reply));
            dialogue.dataAnswered();
          })
          .catch((err: unknown) => replyFailed(session, err));
      });
      // The client may disconnect in the middle of a message.
      stream.on('error', () => intake.drop());
      stream.once('close', () => {
        if (!isWhole) intake.drop();
      });
    },
  };
}

type DataDone = (error?: Error | null, text?: string) => void;

function fixedOptions(options: ProtocolOptions): SMTPServerOptions {
  const { certificate, offersAuth, implicitTls } = options;
  const withoutStartTls = certificate === null || implicitTls;
  return {
    ...(certificate === null ? {} : { key: certificate.key, cert: certificate.cert, ...NO_AUTHORITIES }),
    ...(options.oldTls ? OLD_VERSIONS : { minVersion: MIN_TLS_VERSION }),
    name: options.name,
    heloResponse: '%s',
    // Implicit TLS handshakes are complete before the library sees the socket.
    secure: implicitTls,
    secured: implicitTls,
    size: options.sizeLimit,
    maxRecipients: options.recipients,
    socketTimeout: options.idleMs,
    maxCommandLength: MAX_COMMAND_OCTETS,
    maxAllowedUnauthenticatedCommands: MAX_COMMANDS_BEFORE_AUTH,
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: options.connection.authInClear,
    authRequiredMessage: '5.7.0 Authentication required',
    disabledCommands: [...NEVER, ...(offersAuth ? [] : ['AUTH']), ...(withoutStartTls ? ['STARTTLS'] : [])],
    hideENHANCEDSTATUSCODES: false,
    hideDSN: false,
    hideREQUIRETLS: !options.requireTls,
    disableReverseLookup: true,
    logger: false,
  };
}

function asError({ code, enhanced, text }: ServerReply): Error {
  return Object.assign(new Error(`${enhanced} ${text}`), { responseCode: code });
}
