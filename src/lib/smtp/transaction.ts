// Runs one mail transaction (RFC 5321 section 3.3): MAIL, RCPT and DATA, pipelined if offered (RFC 2920), then the message and the
// final dot. The outcome shows on which side of the dot a connection was lost.

import type { EnvelopeCommands } from './envelope.js';
import type { Stopwatch, SmtpTimeouts } from './timeouts.js';
import type { SmtpReply } from './reply-reader.js';
import { isReply, type ReplyOrLoss, type SmtpWire, type WireLoss } from './wire.js';

type TransactionPhase = 'mail' | 'rcpt' | 'data' | 'dot';

export type DeliveryOutcome =
  | { kind: 'accepted'; phase: 'dot'; reply: SmtpReply }
  /**
   * `local`: decided by the client from the peer's capabilities; `reply` is then composed (552 5.3.4, 550
   * 5.6.7, 550 5.7.30 or 554 5.6.3).
   */
  | { kind: 'refused'; phase: TransactionPhase; reply: SmtpReply; local: boolean }
  /** Certainly not delivered. Phase `data` covers the transfer of the message, `dot` a withheld dot. */
  | { kind: 'lost'; phase: TransactionPhase; beforeDot: true; error: string }
  /** The dot was written and no valid reply to it came, so the peer may have the message. */
  | { kind: 'ambiguous'; error: string };

/** Messages are sent in blocks of this size, each with its own deadline. */
const BLOCK_OCTETS = 262_144;
/**
 * Messages up to this size are sent in one write with their dot, because they about fit in the first flight
 * of a connection.
 */
const ONE_WRITE_OCTETS = 16_384;

interface Step {
  /** `rset` clears a refused transaction. */
  phase: 'rset' | 'mail' | 'rcpt' | 'data';
  command: string;
  timeoutMs: number;
}

/** Brings the peer to its 354. Resolves to `null` then, or to the outcome that ends the transaction. */
export async function openTransaction(
  wire: SmtpWire,
  commands: EnvelopeCommands,
  timeouts: SmtpTimeouts,
  how: { pipelining: boolean; resetFirst: boolean; watch: Stopwatch },
): Promise<DeliveryOutcome | null> {
  const steps: Step[] = [
    { phase: 'mail', command: commands.mail, timeoutMs: timeouts.mailMs },
    { phase: 'rcpt', command: commands.rcpt, timeoutMs: timeouts.rcptMs },
    { phase: 'data', command: 'DATA', timeoutMs: timeouts.dataMs },
  ];
  if (how.resetFirst) steps.unshift({ phase: 'rset', command: 'RSET', timeoutMs: timeouts.mailMs });
  return how.pipelining ? askAtOnce(wire, steps, how.watch) : askInTurn(wire, steps, how.watch);
}

async function askInTurn(wire: SmtpWire, steps: Step[], watch: Stopwatch): Promise<DeliveryOutcome | null> {
  for (const step of steps) {
    const unasked = wire.takeReply();
    if (unasked !== undefined) return unaskedReply(wire, step.phase, unasked);
    wire.send([step.command]);
    const received = await wire.reply(step.timeoutMs);
    watch.lap(step.phase);
    const outcome = failedOutcome(wire, step.phase, received);
    if (outcome !== null) return outcome;
  }
  return null;
}

async function askAtOnce(wire: SmtpWire, steps: Step[], watch: Stopwatch): Promise<DeliveryOutcome | null> {
  wire.send(steps.map((step) => step.command));
  let ending: DeliveryOutcome | null = null;
  for (const step of steps) {
    const received = await wire.reply(step.timeoutMs);
    watch.lap(step.phase);
    if (ending === null) ending = failedOutcome(wire, step.phase, received);
    else if (step.phase === 'data' && isReply(received) && received.code === 354)
      await cancelData(wire, step.timeoutMs);
    // After a refusal, the peer still owes the remaining replies; after a loss or a 421, none will come.
    if (ending !== null && wire.lost !== null) return ending;
  }
  return ending;
}

// Cancels DATA with an empty message, because a peer may say 354 although it refused the recipient (RFC 2920
// section 3.1).
async function cancelData(wire: SmtpWire, timeoutMs: number): Promise<void> {
  wire.send(['.']);
  const received = await wire.reply(timeoutMs);
  if (isReply(received) && received.code < 400)
    wire.lose('protocol', 'peer took an empty message for nobody');
}

// Ends the transaction on an unsolicited reply. It would be taken for the reply to the next command, and so
// on up to the dot.
function unaskedReply(wire: SmtpWire, phase: Step['phase'], unasked: SmtpReply): DeliveryOutcome {
  const at = phase === 'rset' ? 'mail' : phase;
  if (unasked.code === 421) return refused(wire, at, unasked);
  return lostBeforeDot(at, wire.lose('protocol', `peer said ${unasked.code} unasked`));
}

function failedOutcome(wire: SmtpWire, phase: Step['phase'], received: ReplyOrLoss): DeliveryOutcome | null {
  const at = phase === 'rset' ? 'mail' : phase;
  if (!isReply(received)) return lostBeforeDot(at, received);
  if (phase === 'data' ? received.code === 354 : isPositive(received)) return null;
  if (phase === 'rset' || received.code < 400) {
    return lostBeforeDot(at, wire.lose('protocol', `unexpected ${received.code} to ${phase.toUpperCase()}`));
  }
  return refused(wire, phase, received);
}

/**
 * Sends the message after the 354. Calls `beforeDot`, and sends the dot only if that resolves to true and the
 * connection is alive; otherwise drops the connection, and nothing was delivered. A small message waits for
 * `beforeDot` and leaves in one write with its dot. A larger one is written meanwhile, and its dot waits
 * until the kernel has taken it. If `beforeDot` rejects, the connection is dropped and the error is passed
 * on.
 */
export async function sendMessage(
  wire: SmtpWire,
  stuffed: readonly Buffer[],
  beforeDot: () => Promise<boolean>,
  timeouts: SmtpTimeouts,
  watch: Stopwatch,
): Promise<DeliveryOutcome> {
  let sizeBytes = 0;
  for (const chunk of stuffed) sizeBytes += chunk.length;
  const isSmall = sizeBytes <= ONE_WRITE_OCTETS;
  if (!isSmall) recordMessage(wire, sizeBytes);
  const agreed = await askMeanwhile(
    wire,
    beforeDot,
    isSmall ? null : () => writeBlocks(wire, stuffed, timeouts.blockMs),
  );
  watch.lap('message');
  if (!agreed) {
    wire.lose('closed', 'the final dot was withheld');
    return { kind: 'lost', phase: 'dot', beforeDot: true, error: 'the final dot was withheld' };
  }
  const early = wire.takeReply();
  if (early !== undefined) return earlyReply(wire, early);
  if (wire.lost !== null) return lostBeforeDot('data', wire.lost);

  if (isSmall) recordMessage(wire, sizeBytes);
  wire.endMessage(isSmall ? stuffed : []);
  const received = await wire.reply(timeouts.dotMs);
  watch.lap('dot');
  if (!isReply(received)) {
    return wire.isDotRefused ? lostBeforeDot('data', received) : { kind: 'ambiguous', error: received.error };
  }
  if (isPositive(received)) return { kind: 'accepted', phase: 'dot', reply: received };
  if (received.code < 400) {
    return {
      kind: 'ambiguous',
      error: wire.lose('protocol', `unexpected ${received.code} to the final dot`).error,
    };
  }
  return refused(wire, 'dot', received);
}

function recordMessage(wire: SmtpWire, sizeBytes: number): void {
  wire.log.push(`> <${sizeBytes} octets>`);
}

/**
 * Resolves to the answer of `beforeDot`, after `write` (if any) has ended too. The wire keeps a loss of the
 * connection.
 */
async function askMeanwhile(
  wire: SmtpWire,
  beforeDot: () => Promise<boolean>,
  write: (() => Promise<void>) | null,
): Promise<boolean> {
  try {
    if (write === null) return await beforeDot();
    const [, agreed] = await Promise.all([write(), beforeDot()]);
    return agreed;
  } catch (fault) {
    wire.lose('closed', 'the final dot was withheld');
    throw fault;
  }
}

async function writeBlocks(wire: SmtpWire, stuffed: readonly Buffer[], blockMs: number): Promise<void> {
  for (const chunk of stuffed) {
    for (let at = 0; at < chunk.length; at += BLOCK_OCTETS) {
      const loss = await wire.write(chunk.subarray(at, at + BLOCK_OCTETS), blockMs);
      if (loss !== null) return;
    }
  }
}

// A peer may refuse a message before its end; its reply says more than the closed connection.
function earlyReply(wire: SmtpWire, early: SmtpReply): DeliveryOutcome {
  const loss = wire.lose('protocol', `peer said ${early.code} before the message ended`);
  return early.code >= 400
    ? { kind: 'refused', phase: 'data', reply: early, local: false }
    : lostBeforeDot('data', loss);
}

function refused(wire: SmtpWire, phase: TransactionPhase, reply: SmtpReply): DeliveryOutcome {
  if (reply.code === 421) wire.lose('closed', 'the peer is closing the connection');
  return { kind: 'refused', phase, reply, local: false };
}

function lostBeforeDot(phase: TransactionPhase, loss: WireLoss): DeliveryOutcome {
  return { kind: 'lost', phase, beforeDot: true, error: loss.error };
}

function isPositive(reply: SmtpReply): boolean {
  return reply.code >= 200 && reply.code < 300;
}
