// Extends the library's SMTP session: enhanced codes of its own (RFC 2034), no AUTH offered in plain text,
// lenient paths, no non-ASCII recipients without SMTPUTF8, no unknown parameters, and an end to idle chatter
// and stalled handshakes.
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

// Replaces the data phase of the library's command parser, which is some hundred times slower for lines that
// begin with a dot; a client may send millions of them. Finds the end of a message and removes dot-stuffing
// (RFC 5321 section 4.5.2), however the octets are split. Only CRLF ends a line, so only CRLF dot CRLF ends a
// message. Each octet costs the same.
const LF = 10;
const CR = 13;
const DOT = 46;
const HELD_CR = Buffer.of(CR);
const LF_DOT = Buffer.of(LF, DOT);

interface DotRead {
  /** Octets of the message; may be empty. Shares memory with the input. */
  content: Buffer;
  /** The octets after the final dot; `null` while the message continues. */
  rest: Buffer | null;
}

/** `read` may overwrite its input, and must not be called again after the end. */
interface DotReader {
  read(octets: Buffer): DotRead;
}

type Place = 'line start' | 'line' | 'after CR' | 'after dot' | 'after dot CR';

export function createDotReader(): DotReader {
  let place: Place = 'line start';

  return {
    read(octets) {
      // A CR that may belong to the end is held back. If the next octets prove that it does not, the CR comes
      // first; within the same octets there is room where the dot and the CR were.
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
          if (octet === LF)
            return { content: takeContent(octets, to, owesCr), rest: octets.subarray(at + 1) };
          if (at > 0) octets[to++] = CR;
        }
        place = octet === CR ? 'after CR' : octet === LF && place === 'after CR' ? 'line start' : 'line';
        octets[to++] = octet;
      }
      return { content: takeContent(octets, to, owesCr), rest: null };
    },
  };
}

/** Counts the leading octets that stay unchanged: those before the first dot that may begin a line. */
function plainOctets(octets: Buffer, place: Place): number {
  const isAtDot = place === 'after dot' || place === 'after dot CR';
  if (isAtDot || (place === 'line start' && octets[0] === DOT)) return 0;
  const lineEnd = octets.indexOf(LF_DOT);
  return lineEnd === -1 ? octets.length : lineEnd;
}

/** Returns the place after octets that are not empty and contain no line that begins with a dot. */
function placeBehind(octets: Buffer, before: Place): Place {
  const last = octets.length - 1;
  if (octets[last] === CR) return 'after CR';
  const followsCr = last === 0 ? before === 'after CR' : octets[last - 1] === CR;
  return octets[last] === LF && followsCr ? 'line start' : 'line';
}

function takeContent(octets: Buffer, end: number, owesCr: boolean): Buffer {
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
    // A destroyed stream never drains; it only closes.
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
  /** Allows AUTH without TLS. */
  authInClear: boolean;
  requireTls: boolean;
  /** Replies allowed without a message between them; more only waste time. */
  maxIdleReplies: number;
  /** Limit of the TLS handshake after STARTTLS. */
  handshakeMs: number;
  /** Time for the client to close after the server did. */
  farewellMs: number;
}

const MAIL_PARAMETERS = ['SIZE', 'BODY', 'SMTPUTF8', 'RET', 'ENVID', 'AUTH'];
const RCPT_PARAMETERS = ['NOTIFY', 'ORCPT'];
/**
 * Commands that SMTP knows and the server does not implement: 502 rather than 500 (RFC 5321 section 4.2.4).
 */
const NOT_OFFERED = new Set('EXPN BDAT AUTH STARTTLS TURN ETRN ATRN SEND SOML SAML'.split(' '));
const OWN_CODE = /^[245]\.\d{1,3}\.\d{1,3} /;

export class SmtpConnection extends SMTPConnection {
  /** The MAIL or RCPT in progress. */
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

  /** Parameters of the MAIL or RCPT in progress. */
  get written(): WrittenParameters {
    return this.path.parameters;
  }

  say({ code, enhanced, text }: ServerReply): void {
    this.send(code, `${enhanced} ${text}`);
  }

  /** Resets the count of idle replies after a message. */
  messageEnded(): void {
    this.idleReplies = 0;
  }

  /** Closes without another word. Never fails. */
  cut(): void {
    this._socket.destroy();
    // During a TLS handshake, this is a different socket.
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
      // The library uses the code for a lost connection for all of them.
      super.send(421, `${data?.startsWith('Timeout') ? '4.4.2' : '4.7.0'} ${data ?? ''}`, false);
    } else if (code === TLS_FIRST.code) {
      super.send(code, `${TLS_FIRST.enhanced} ${TLS_FIRST.text}`, false);
    } else if (code === 500 && typeof context === 'string' && NOT_OFFERED.has(context)) {
      super.send(502, '5.5.1 Command not implemented', false);
    } else {
      super.send(code, data, context);
    }
  }

  /** Called by the library's constructor, before any field of this class is set. */
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

  /** Parses only the parameters with the library, because it refuses paths that senders write. */
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
