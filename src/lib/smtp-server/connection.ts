// The library's SMTP session with what its options cannot say: enhanced codes of our own (RFC 2034), no AUTH offered in
// clear, paths as senders write them, no recipients beyond ASCII without SMTPUTF8, no unknown parameters, an end to chatter
// and to stalled handshakes.
import { isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import type { SMTPServer } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import type { ServerReply } from './hooks.js';
import {
  mailParameterProblem,
  rcptParameterProblem,
  writtenCommand,
  type WrittenCommand,
  type WrittenParameters,
} from './parameters.js';
import { TLS_FIRST } from './replies.js';
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js';

// The library's command parser with a data phase of our own: its own takes some hundred times longer for lines that begin
// with a dot, which a client may send by the million.
// The end of a message, and its transparency undone (RFC 5321 section 4.5.2), out of octets in any division. Only CRLF
// ends a line, so only CRLF dot CRLF ends a message. The cost per octet is the same whatever they are.
const LF = 10;
const CR = 13;
const DOT = 46;
const HELD_CR = Buffer.of(CR);
const LF_DOT = Buffer.of(LF, DOT);

interface DotRead {
  /** Of the message; may be empty. Shares memory with what was given. */
  content: Buffer;
  /** The octets after the final dot; null while the message goes on. */
  rest: Buffer | null;
}

/** `read` may write into the octets that it is given. After the end it must not be called again. */
interface DotReader {
  read(octets: Buffer): DotRead;
}

type Place = 'line start' | 'line' | 'after CR' | 'after dot' | 'after dot CR';

export function createDotReader(): DotReader {
  let place: Place = 'line start';

  return {
    read(octets) {
      // The CR of what might be the end is kept back. When a division begins with the proof that it was none, the CR
      // comes first; found within a division, there is room where the dot and the CR were.
      const owesCr = place === 'after dot CR' && octets.length > 0 && octets[0] !== LF;
      const plain = plainOctets(octets, place);
      if (plain > 0) place = placeBehind(octets.subarray(0, plain), place);
      let to = plain;
      for (let at = plain; at < octets.length; at += 1) {
        const octet = octets[at] ?? 0;
        if (place === 'line start' && octet === DOT) {
          place = 'after dot';
          continue;
        }
        if (place === 'after dot' && octet === CR) {
          place = 'after dot CR';
          continue;
        }
        if (place === 'after dot CR') {
          if (octet === LF) return { content: contentOf(octets, to, owesCr), rest: octets.subarray(at + 1) };
          if (at > 0) octets[to++] = CR;
        }
        place = octet === CR ? 'after CR' : octet === LF && place === 'after CR' ? 'line start' : 'line';
        octets[to++] = octet;
      }
      return { content: contentOf(octets, to, owesCr), rest: null };
    },
  };
}

/** The number of octets at the start that stay as they are: those before the first dot that may begin a line. */
function plainOctets(octets: Buffer, place: Place): number {
  const isAtDot = place === 'after dot' || place === 'after dot CR';
  if (isAtDot || (place === 'line start' && octets[0] === DOT)) return 0;
  const lineEnd = octets.indexOf(LF_DOT);
  return lineEnd === -1 ? octets.length : lineEnd;
}

/** `octets` are not empty, and begin no line with a dot. */
function placeBehind(octets: Buffer, before: Place): Place {
  const last = octets.length - 1;
  if (octets[last] === CR) return 'after CR';
  const followsCr = last === 0 ? before === 'after CR' : octets[last - 1] === CR;
  return octets[last] === LF && followsCr ? 'line start' : 'line';
}

function contentOf(octets: Buffer, end: number, owesCr: boolean): Buffer {
  const content = octets.subarray(0, end);
  return owesCr ? Buffer.concat([HELD_CR, content]) : content;
}

type Done = (error?: Error | null) => void;

class SmtpStream extends SMTPStream {
  private dots: DotReader = createDotReader();

  override startDataMode(maxBytes?: number | string | null): ReturnType<SMTPStream['startDataMode']> {
    this.dots = createDotReader();
    return super.startDataMode(maxBytes);
  }

  override _feedDataStream(octets: Buffer, done: Done): void {
    const stream = this._dataStream;
    if (stream === null) {
      done();
      return;
    }
    const { content, rest } = this.dots.read(octets);
    this._countDataBytes(content.length);
    if (rest !== null) {
      this._endDataMode(content, rest, done);
      return;
    }
    if (content.length === 0 || !stream.writable || stream.write(content)) {
      done();
      return;
    }
    // One that is destroyed never drains, it only closes.
    const goOn = (): void => {
      stream.removeListener('drain', goOn);
      stream.removeListener('close', goOn);
      done();
    };
    stream.once('drain', goOn);
    stream.once('close', goOn);
  }
}

export interface ConnectionTerms {
  /** AUTH may be used without TLS. */
  authInClear: boolean;
  requireTls: boolean;
  /** Replies without a message between them, after which the client only wastes our time. */
  maxIdleReplies: number;
  /** For the TLS handshake after STARTTLS. */
  handshakeMs: number;
  /** For the client to close after we did. */
  farewellMs: number;
}

const MAIL_PARAMETERS = ['SIZE', 'BODY', 'SMTPUTF8', 'RET', 'ENVID', 'AUTH'];
const RCPT_PARAMETERS = ['NOTIFY', 'ORCPT'];
/** Known to SMTP, and not done here: 502 rather than 500 (RFC 5321 section 4.2.4). */
const NOT_OFFERED = new Set('EXPN BDAT AUTH STARTTLS TURN ETRN ATRN SEND SOML SAML'.split(' '));
const OWN_CODE = /^[245]\.\d{1,3}\.\d{1,3} /;

export class SmtpConnection extends SMTPConnection {
  /** The MAIL or RCPT under way. */
  private path: WrittenCommand = writtenCommand('');
  private idleReplies = 0;
  private handshake: NodeJS.Timeout | undefined;
  private farewell: NodeJS.Timeout | undefined;

  constructor(
    server: SMTPServer,
    readonly clientSocket: Socket,
    id: string,
    private readonly terms: ConnectionTerms,
  ) {
    super(server, clientSocket, { id });
  }

  /** Of the MAIL or RCPT under way. */
  get written(): WrittenParameters {
    return this.path.parameters;
  }

  say({ code, enhanced, text }: ServerReply): void {
    this.send(code, `${enhanced} ${text}`);
  }

  /** A message was dealt with: the client did not come to chat. */
  messageEnded(): void {
    this.idleReplies = 0;
  }

  /** Ends it without another word. Never fails. */
  cut(): void {
    this._socket.destroy();
    // Beneath a TLS handshake, the other is another one.
    this.clientSocket.destroy();
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    this.idleReplies += 1;
    if (this.idleReplies > this.terms.maxIdleReplies && code !== 421) {
      super.send(421, '4.7.0 Too many commands without a message', false);
    } else if (Array.isArray(data)) {
      super.send(code, this.secure || this.terms.authInClear ? data : data.filter(isNotAuth), context);
    } else if (typeof data === 'string' && OWN_CODE.test(data)) {
      super.send(code, data, false);
    } else if (code === 421) {
      // The library gives the code of a lost connection to all of them.
      super.send(421, `${data?.startsWith('Timeout') ? '4.4.2' : '4.7.0'} ${data ?? ''}`, false);
    } else if (code === TLS_FIRST.code) {
      super.send(code, `${TLS_FIRST.enhanced} ${TLS_FIRST.text}`, false);
    } else if (code === 500 && typeof context === 'string' && NOT_OFFERED.has(context)) {
      super.send(502, '5.5.1 Command not implemented', false);
    } else {
      super.send(code, data, context);
    }
  }

  /** Called by the constructor of the library: nothing of ours is set then. */
  override _createParser(): SmtpStream {
    const { maxCommandLength } = this._server.options;
    const parser = new SmtpStream({ maxCommandLength });
    parser.oncommand = (command, callback) => this._onCommand(command, callback);
    parser.on('error', (error) => this.send(421, error.message));
    return parser;
  }

  override handler_MAIL(command: Buffer, callback: () => void): void {
    this.path = writtenCommand(command.toString());
    const { parameters } = this.path;
    const known = this.terms.requireTls ? [...MAIL_PARAMETERS, 'REQUIRETLS'] : MAIL_PARAMETERS;
    const refusal =
      (isUtf8(command) ? null : NEEDS_SMTPUTF8) ??
      unknownParameter(parameters, known) ??
      badParameter(mailParameterProblem(parameters));
    if (refusal === null) super.handler_MAIL(command, callback);
    else this.refuse(refusal, callback);
  }

  override handler_RCPT(command: Buffer, callback: () => void): void {
    this.path = writtenCommand(command.toString());
    const { parameters } = this.path;
    const isForeign = isBeyondAscii(command) && this.session.envelope.smtpUtf8 !== true;
    const refusal =
      (isForeign || !isUtf8(command) ? NEEDS_SMTPUTF8 : null) ??
      unknownParameter(parameters, RCPT_PARAMETERS) ??
      badParameter(rcptParameterProblem(parameters));
    if (refusal === null) super.handler_RCPT(command, callback);
    else this.refuse(refusal, callback);
  }

  /** Reads the parameters only: the library refuses paths that senders write. */
  override _parseAddressCommand(name: string, command: Buffer | string): Parsed {
    const { address, rest } = this.path;
    if (address === null) return false;
    const [verb = ''] = command.toString().split(':', 1);
    const parsed = super._parseAddressCommand(name, `${verb}:<> ${rest}`);
    return parsed && { ...parsed, address };
  }

  override handler_STARTTLS(command: Buffer, callback: () => void): void {
    super.handler_STARTTLS(command, callback);
    if (!this._upgrading) return;
    this.handshake = setTimeout(() => {
      if (!this.secure) this.cut();
    }, this.terms.handshakeMs);
    this.handshake.unref();
  }

  override close(): void {
    super.close();
    this.farewell ??= setTimeout(() => this.cut(), this.terms.farewellMs).unref();
  }

  override _onClose(): void {
    clearTimeout(this.handshake);
    clearTimeout(this.farewell);
    super._onClose();
  }

  private refuse(refusal: ServerReply, callback: () => void): void {
    this.say(refusal);
    callback();
  }
}

type Parsed = ReturnType<SMTPConnection['_parseAddressCommand']>;

const NEEDS_SMTPUTF8: ServerReply = {
  code: 553,
  enhanced: '5.6.7',
  text: 'An address beyond ASCII needs SMTPUTF8, and must be UTF-8',
};

const isNotAuth = (line: string): boolean => !line.startsWith('AUTH ');

function isBeyondAscii(command: Buffer): boolean {
  return command.some((octet) => octet > 0x7f);
}

function unknownParameter(written: WrittenParameters, known: readonly string[]): ServerReply | null {
  for (const name of written.keys()) {
    if (!known.includes(name)) return { code: 555, enhanced: '5.5.4', text: 'Parameter not known' };
  }
  return null;
}

function badParameter(problem: string | null): ServerReply | null {
  return problem === null ? null : { code: 501, enhanced: '5.5.4', text: problem };
}
