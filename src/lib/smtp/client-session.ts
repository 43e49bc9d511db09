// Runs an open SMTP session (RFC 5321): any number of transactions one after another, then QUIT.
import type { SmtpCapabilities } from './capabilities.js';
import { envelopeCommands, hasEightBit, missingCapability, type Envelope } from './envelope.js';
import { startStopwatch, type PhaseTimes, type SmtpTimeouts } from './timeouts.js';
import type { TlsFacts } from './tls-facts.js';
import { openTransaction, sendMessage, type DeliveryOutcome } from './transaction.js';
import type { SmtpWire } from './wire.js';

const CR = 13;
const LF = 10;
const DOT = 46;
const LF_DOT = Buffer.from('\n.');

/**
 * Prepares a message for DATA, without the final dot: a line that begins with a dot gets another one
 * (RFC 5321 section 4.5.2). Chunks without such lines are returned as they are, not copied. Time is linear in
 * the size. Throws on a bare CR, a bare LF or a missing CRLF at the end, which prevents smuggling. Nothing is
 * repaired, because a repair after signing would break the signature.
 */
export function dotStuff(chunks: readonly Buffer[]): Buffer[] {
  const stuffed: Buffer[] = [];
  let previous = LF;
  let sizeBytes = 0;
  for (const chunk of chunks) {
    if (chunk.length === 0) continue;
    assertLineEnds(chunk, sizeBytes === 0 ? 0 : previous);
    stuffed.push(stuffChunk(chunk, previous === LF));
    previous = chunk[chunk.length - 1] ?? 0;
    sizeBytes += chunk.length;
  }
  if (sizeBytes === 0 || previous !== LF) throw new Error('message does not end with CRLF');
  return stuffed;
}

function assertLineEnds(chunk: Buffer, previous: number): void {
  if (previous === CR && chunk[0] !== LF) throw new Error('message has a bare CR');
  for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) {
    if ((at === 0 ? previous : chunk[at - 1]) !== CR) throw new Error('message has a bare LF');
  }
  const last = chunk.length - 1;
  for (let at = chunk.indexOf(CR); at !== -1 && at < last; at = chunk.indexOf(CR, at + 1)) {
    if (chunk[at + 1] !== LF) throw new Error('message has a bare CR');
  }
}

function stuffChunk(chunk: Buffer, atLineStart: boolean): Buffer {
  const dots = atLineStart && chunk[0] === DOT ? [0] : [];
  for (let at = chunk.indexOf(LF_DOT); at !== -1; at = chunk.indexOf(LF_DOT, at + 2)) dots.push(at + 1);
  if (dots.length === 0) return chunk;

  const stuffed = Buffer.allocUnsafe(chunk.length + dots.length);
  let from = 0;
  let to = 0;
  for (const dot of dots) {
    to += chunk.copy(stuffed, to, from, dot);
    stuffed[to++] = DOT;
    from = dot;
  }
  chunk.copy(stuffed, to, from);
  return stuffed;
}

export interface MailJob extends Envelope {
  /**
   * The message with CRLF line ends, ending in CRLF, not dot-stuffed. It is not copied, so don't change it
   * before the outcome.
   */
  chunks: readonly Buffer[];
  /**
   * Called when the peer is ready for the message; the place to record the intent to send the final dot.
   * False withholds the dot and drops the connection, and the message is certainly not delivered.
   */
  beforeDot: () => Promise<boolean>;
}

interface SessionFacts {
  host: string;
  address: string;
  /** Local end of the connection. */
  localAddress: string | null;
  localPort: number | null;
  /** As offered over TLS, if there is TLS. */
  capabilities: SmtpCapabilities;
  tls: TlsFacts | null;
  /** Phases of the opening: `connect`, `greeting`, `ehlo`, `tls`, `auth`. */
  times: PhaseTimes;
}

/** An open session, created by `connectSmtp`. */
export class SmtpSession {
  /** The dialogue until the session was ready, with secrets masked. */
  readonly opening: readonly string[];
  private inTransaction = false;
  private resetFirst = false;
  private delivered = 0;
  private times: PhaseTimes = {};

  constructor(
    private readonly wire: SmtpWire,
    readonly facts: SessionFacts,
    private readonly timeouts: SmtpTimeouts,
  ) {
    this.opening = wire.log;
    wire.log = [];
  }

  /** True if `deliver` can expect a peer: connected, idle, and without unread replies. */
  get usable(): boolean {
    return !this.inTransaction && this.wire.lost === null && this.wire.unread === 0;
  }

  /** Number of messages that the peer accepted in this session. */
  get accepted(): number {
    return this.delivered;
  }

  /** Returns the last transaction line by line: `> ` sent, `< ` received, `* ` events of the connection. */
  conversation(): readonly string[] {
    return this.wire.log;
  }

  /**
   * Returns the times of the last transaction: `mail`, `rcpt` and `data` up to their replies (preceded by
   * `rset` after a refusal), `message` for its transfer and `beforeDot`, `dot` up to its reply. Commands sent
   * together share one wait, which counts for the first.
   */
  lastTimes(): PhaseTimes {
    return this.times;
  }

  /**
   * Sends one message to one recipient and resolves to the outcome for any behavior of peer and network. Rejects on a malformed
   * message or address, on a concurrent call, and if `beforeDot` rejects.
   */
  async deliver(job: MailJob): Promise<DeliveryOutcome> {
    if (this.inTransaction) throw new Error('the session is in a transaction');
    this.wire.log = [];
    this.times = {};
    const { capabilities, tls } = this.facts;
    const isVerified = (tls?.verifiedBy ?? null) !== null;
    const stuffed = dotStuff(job.chunks);
    const isEightBit = hasEightBit(job.chunks);
    const commands = envelopeCommands(job, isEightBit, capabilities);
    const missing = missingCapability(job, isEightBit, capabilities, isVerified);
    if (missing !== null) return { kind: 'refused', phase: 'mail', reply: missing, local: true };
    if (!this.usable) return this.goneBefore();

    this.inTransaction = true;
    const watch = startStopwatch();
    this.times = watch.times;
    try {
      const how = { pipelining: capabilities.pipelining, resetFirst: this.resetFirst, watch };
      const ended = await openTransaction(this.wire, commands, this.timeouts, how);
      const outcome = ended ?? (await sendMessage(this.wire, stuffed, job.beforeDot, this.timeouts, watch));
      this.resetFirst = outcome.kind === 'refused';
      if (outcome.kind === 'accepted') this.delivered += 1;
      return outcome;
    } finally {
      this.inTransaction = false;
    }
  }

  /**
   * Sends QUIT and closes, within `quitMs`. Rejects during a transaction, whose outcome would become
   * doubtful.
   */
  async quit(): Promise<void> {
    if (this.inTransaction) throw new Error('the session is in a transaction');
    if (this.usable) {
      this.wire.send(['QUIT']);
      await this.wire.reply(this.timeouts.quitMs);
    }
    this.wire.lose('closed', 'the session was ended');
  }

  /** Closes immediately. A transaction in progress ends as lost or ambiguous. */
  destroy(): void {
    this.wire.lose('closed', 'the session was dropped');
  }

  // The peer closed the idle session, or announced that it will (421).
  private goneBefore(): DeliveryOutcome {
    const reply = this.wire.takeReply();
    const why =
      reply === undefined ? 'the session is closed' : `peer said ${reply.code} while idle: ${reply.text}`;
    const loss = this.wire.lose('closed', why);
    return { kind: 'lost', phase: 'mail', beforeDot: true, error: reply === undefined ? loss.error : why };
  }
}
