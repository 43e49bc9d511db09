// One mail transaction (RFC 5321 section 3.3): MAIL, RCPT and DATA, pipelined when offered (RFC 2920), then the
// message, then the dot. What matters most is to know on which side of the final dot a connection was lost.

import type { EnvelopeCommands } from './envelope.js';
import type { Stopwatch, SmtpTimeouts } from './timeouts.js';
import type { SmtpReply } from './reply-reader.js';
import { isReply, type ReplyOrLoss, type SmtpWire, type WireLoss } from './wire.js';

export type TransactionPhase = 'mail' | 'rcpt' | 'data' | 'dot';

export type DeliveryOutcome =
  | { kind: 'accepted'; phase: 'dot'; reply: SmtpReply }
  /** `local`: decided here from what the peer offers; `reply` is then ours (552 5.3.4, 550 5.6.7, 550 5.7.30 or 554 5.6.3). */
  | { kind: 'refused'; phase: TransactionPhase; reply: SmtpReply; local: boolean }
  /** Certainly not delivered. Phase `data` covers the transfer of the message, `dot` a withheld dot. */
  | { kind: 'lost'; phase: TransactionPhase; beforeDot: true; error: string }
  /** The dot was written and no reply to it was understood: the peer may or may not have the message. */
  | { kind: 'ambiguous'; error: string };

/** A message leaves in blocks of this size, each with its own deadline. */
const BLOCK_OCTETS = 262_144;
/** A message up to this size leaves in one write with its dot: it fits in the first flight of a connection, or nearly so. */
const ONE_WRITE_OCTETS = 16_384;

interface Step {
  /** `rset` clears what an earlier refused transaction left behind. */
  phase: 'rset' | 'mail' | 'rcpt' | 'data';
  command: string;
  timeoutMs: number;
}

/** Brings the peer to its 354; returns null then, else the outcome that ends the transaction. */
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
    const outcome = failureOf(wire, step.phase, received);
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
    if (ending === null) ending = failureOf(wire, step.phase, received);
    else if (step.phase === 'data' && isReply(received) && received.code === 354)
      await cancelData(wire, step.timeoutMs);
    // After a refusal the remaining replies are still owed to us; after a loss or a 421 there are none.
    if (ending !== null && wire.lost !== null) return ending;
  }
  return ending;
}

// RFC 2920 section 3.1: a peer may say 354 although it refused the recipient; it then gets an empty message.
async function cancelData(wire: SmtpWire, timeoutMs: number): Promise<void> {
  wire.send(['.']);
  const received = await wire.reply(timeoutMs);
  if (isReply(received) && received.code < 400)
    wire.lose('protocol', 'peer took an empty message for nobody');
}

// A reply to nothing would be taken for the one to the next command, and so on up to the dot.
function unaskedReply(wire: SmtpWire, phase: Step['phase'], unasked: SmtpReply): DeliveryOutcome {
  const at = phase === 'rset' ? 'mail' : phase;
  if (unasked.code === 421) return refused(wire, at, unasked);
  return lostBeforeDot(at, wire.lose('protocol', `peer said ${unasked.code} unasked`));
}

function failureOf(wire: SmtpWire, phase: Step['phase'], received: ReplyOrLoss): DeliveryOutcome | null {
  const at = phase === 'rset' ? 'mail' : phase;
  if (!isReply(received)) return lostBeforeDot(at, received);
  if (phase === 'data' ? received.code === 354 : isPositive(received)) return null;
  if (phase === 'rset' || received.code < 400) {
    return lostBeforeDot(at, wire.lose('protocol', `unexpected ${received.code} to ${phase.toUpperCase()}`));
  }
  return refused(wire, phase, received);
}

/**
 * After the 354: calls `beforeDot`; the dot follows only when that says true and the connection still stands, otherwise the
 * connection is given up and nothing was delivered. A small message waits for that answer and leaves in one write with its dot. A
 * larger one is written meanwhile, and its dot waits until the kernel has taken it. A throwing `beforeDot` is passed on, after the
 * connection was given up.
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

/** The answer of `beforeDot`, after `write` has ended too, where there is one; a loss of the connection is on the wire. */
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

// A peer may refuse a message that it has not seen the end of, and its words say more than the closed connection.
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
