// Sends commands and receives replies on one SMTP connection. Sets a deadline on every wait and records the
// dialogue. A broken connection is a value (`WireLoss`), never an exception.

import type { Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { createReplyReader, type SmtpReply } from './reply-reader.js';

const FINAL_DOT = Buffer.from('.\r\n');

export interface WireLoss {
  lost: 'timeout' | 'closed' | 'protocol';
  error: string;
}

export type ReplyOrLoss = SmtpReply | WireLoss;

export class SmtpWire {
  /** The conversation so far; the session replaces it for each transaction. */
  log: string[] = [];
  /**
   * True if the connection was lost because the kernel did not take the final dot, so the peer cannot have
   * it.
   */
  isDotRefused = false;
  private loss: WireLoss | null = null;
  private reader = createReplyReader();
  private timer: NodeJS.Timeout | undefined;
  private awaitingReply: ((received: ReplyOrLoss) => void) | null = null;
  private awaitingLoss: (() => void) | null = null;

  /** Takes over a connected socket. */
  constructor(private socket: Socket) {
    this.attach(socket);
  }

  /** The reason why the connection is unusable; `null` while it works. */
  get lost(): WireLoss | null {
    return this.loss;
  }

  /** Number of replies that arrived but were not requested yet. */
  get unread(): number {
    return this.reader.waiting();
  }

  /** Writes command lines in one piece and records them, or `shown` in their place. */
  send(commands: readonly string[], shown: readonly string[] = commands): void {
    for (const line of shown) this.log.push(`> ${line}`);
    if (this.loss === null) this.socket.write(`${commands.join('\r\n')}\r\n`);
  }

  /**
   * Writes the rest of the message and the final dot in one piece. Sets `isDotRefused` if the kernel refuses
   * a part because the peer has closed, since the dot cannot have left then.
   */
  endMessage(rest: readonly Buffer[]): void {
    this.log.push('> .');
    if (this.loss !== null) return;
    this.socket.cork();
    for (const buffer of rest) this.socket.write(buffer);
    this.socket.write(FINAL_DOT, (error) => {
      // A canceled write may have left.
      if (!error || this.loss !== null || !isRefusedByKernel(error)) return;
      this.isDotRefused = true;
      this.lose('closed', describe(error));
    });
    this.socket.uncork();
  }

  /** Waits for the next reply in order. Gives the connection up when the time is over. */
  reply(timeoutMs: number): Promise<ReplyOrLoss> {
    const ready = this.takeReply();
    if (ready !== undefined) return Promise.resolve(ready);
    if (this.loss !== null) return Promise.resolve(this.loss);
    return new Promise((resolve) => {
      this.awaitingReply = resolve;
      this.timer = setTimeout(() => this.lose('timeout', `no reply within ${timeoutMs} ms`), timeoutMs);
    });
  }

  /** Takes and records a reply that has already arrived. */
  takeReply(): SmtpReply | undefined {
    const reply = this.reader.next();
    if (reply !== undefined) recordReply(this.log, reply);
    return reply;
  }

  /** Resolves to `null` once the kernel has taken every octet, or to the loss. */
  write(buffer: Buffer, timeoutMs: number): Promise<WireLoss | null> {
    if (this.loss !== null) return Promise.resolve(this.loss);
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.lose('timeout', `peer took no data for ${timeoutMs} ms`),
        timeoutMs,
      );
      const done = (): void => {
        clearTimeout(timer);
        this.awaitingLoss = null;
        resolve(this.loss);
      };
      this.awaitingLoss = done;
      this.socket.write(buffer, (error) => (error ? this.lose('closed', describe(error)) : done()));
    });
  }

  /**
   * Starts TLS on this connection. Discards everything that the peer sent in plain text after inviting it.
   */
  secure(options: ConnectionOptions, timeoutMs: number): Promise<TLSSocket | WireLoss> {
    if (this.loss !== null) return Promise.resolve(this.loss);
    const plain = this.socket;
    plain.removeAllListeners('data');
    plain.removeAllListeners('end');
    this.reader = createReplyReader();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.lose('timeout', `no TLS within ${timeoutMs} ms`), timeoutMs);
      const secured = connectTls({ ...options, socket: plain });
      const finish = (result: TLSSocket | WireLoss): void => {
        clearTimeout(timer);
        this.awaitingLoss = null;
        resolve(result);
      };
      this.awaitingLoss = () => {
        if (this.loss !== null) finish(this.loss);
      };
      this.socket = secured;
      this.attach(secured);
      secured.once('secureConnect', () => finish(secured));
    });
  }

  /** Gives the connection up. The first reason stays. */
  lose(lost: WireLoss['lost'], error: string): WireLoss {
    if (this.loss !== null) return this.loss;
    const loss: WireLoss = { lost, error };
    this.loss = loss;
    clearTimeout(this.timer);
    this.log.push(`* ${error}`);
    this.socket.destroy();
    const awaitingReply = this.awaitingReply;
    this.awaitingReply = null;
    awaitingReply?.(loss);
    this.awaitingLoss?.();
    return loss;
  }

  private attach(socket: Socket): void {
    socket.on('data', (bytes: Buffer) => this.receive(bytes));
    socket.on('end', () => this.lose('closed', 'the peer closed the connection'));
    socket.on('error', (error) => this.lose('closed', describe(error)));
    socket.on('close', () => this.lose('closed', 'the connection is closed'));
  }

  private receive(bytes: Buffer): void {
    const fault = this.reader.feed(bytes);
    const waiting = this.awaitingReply;
    const reply = waiting === null ? undefined : this.takeReply();
    if (waiting !== null && reply !== undefined) {
      clearTimeout(this.timer);
      this.awaitingReply = null;
      waiting(reply);
    }
    if (fault !== null) this.lose('protocol', fault);
  }
}

/** Distinguishes a reply from a lost connection. */
export function isReply(received: ReplyOrLoss): received is SmtpReply {
  return 'code' in received;
}

function recordReply(log: string[], reply: SmtpReply): void {
  const last = reply.lines.length - 1;
  reply.lines.forEach((line, index) => log.push(`< ${reply.code}${index < last ? '-' : ' '}${line}`));
}

function describe(error: Error): string {
  return error.message === '' ? error.name : error.message;
}

/**
 * Returns whether the peer reset or closed the connection before the kernel had taken all octets (write(2):
 * EPIPE, ECONNRESET).
 */
function isRefusedByKernel(error: Error): boolean {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall === 'write' && (code === 'EPIPE' || code === 'ECONNRESET');
}
