// An SMTP client that sends exactly what a test specifies, and returns the replies.
import { connect as connectSocket, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';

/** A client that sends bytes as specified and reads whole replies. */
export class RawClient {
  private heard = '';
  private isOver = false;
  private wake = (): void => undefined;
  /** Everything heard, for tests that count replies. */
  transcript = '';

  constructor(public socket: Socket) {
    this.listen();
  }

  write(text: string | Buffer): void {
    this.socket.write(typeof text === 'string' ? Buffer.from(text, 'utf8') : text);
  }

  /** Sends lines and returns the reply to the last; each earlier line waits for its own reply. */
  async say(...lines: string[]): Promise<string> {
    let reply = '';
    for (const line of lines) {
      this.write(`${line}\r\n`);
      reply = await this.reply();
    }
    return reply;
  }

  /** Lines of one reply, joined by newlines; `closed` if the peer has closed the connection. */
  async reply(): Promise<string> {
    for (;;) {
      const whole = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/.exec(this.heard)?.[0];
      if (whole !== undefined) {
        this.heard = this.heard.slice(whole.length);
        return whole.trimEnd().replaceAll('\r\n', '\n');
      }
      if (this.isOver) return 'closed';
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Reads to the end of the connection. */
  async rest(): Promise<string[]> {
    const replies: string[] = [];
    for (let reply = await this.reply(); reply !== 'closed'; reply = await this.reply()) replies.push(reply);
    return replies;
  }

  /** Sends EHLO and a message with that text; returns the reply to the dot. */
  async send(to: string, text: string | Buffer): Promise<string> {
    await this.say('MAIL FROM:<ann@elsewhere.example>', `RCPT TO:<${to}>`, 'DATA');
    this.write(text);
    this.write('.\r\n');
    return this.reply();
  }

  async secure(options: ConnectionOptions = {}): Promise<TLSSocket> {
    this.socket.removeAllListeners('data');
    const secured = connectTls({ socket: this.socket, rejectUnauthorized: false, ...options });
    await new Promise<void>((resolve, reject) => {
      secured.once('secureConnect', resolve);
      secured.once('error', reject);
    });
    this.socket = secured;
    this.heard = '';
    this.listen();
    return secured;
  }

  hangUp(): void {
    this.socket.destroy();
  }

  private listen(): void {
    const over = (): void => {
      this.isOver = true;
      this.wake();
    };
    this.socket.on('data', (octets: Buffer) => {
      this.heard += octets.toString('latin1');
      this.transcript += octets.toString('latin1');
      this.wake();
    });
    this.socket.on('error', over);
    this.socket.on('close', over);
    this.socket.on('end', over);
  }
}

/** Connects to loopback, from loopback's address `from`; with TLS from the start if requested. */
export async function openRawClient(options: {
  port: number;
  from?: string;
  tls?: boolean;
}): Promise<RawClient> {
  const { port, from, tls = false } = options;
  const at = {
    port,
    host: '127.0.0.1',
    noDelay: true,
    ...(from === undefined ? {} : { localAddress: from }),
  };
  const socket = tls ? connectTls({ ...at, rejectUnauthorized: false }) : connectSocket(at);
  const client = new RawClient(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once(tls ? 'secureConnect' : 'connect', resolve);
    socket.once('error', reject);
  });
  return client;
}
