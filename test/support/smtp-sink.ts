// A receiving SMTP server that is fast enough to measure a sender, and keeps received mail for tests. Also runs separately: `node
// smtp-sink.js [port] [host]` counts messages until it is stopped.

import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';

export interface SinkMessage {
  /** The name in its EHLO. */
  ehlo: string;
  /** The client's address. */
  from: string;
  mailFrom: string;
  rcptTo: string[];
  /** As sent, dot-stuffing undone, with the last CRLF. */
  raw: Buffer;
  /** TLS protocol of the connection, or null. */
  tls: string | null;
}

export interface SmtpSinkOptions {
  /** In the greeting. */
  name?: string;
  /** Keep every message in `messages`; otherwise only count them. */
  keep: boolean;
  /** Offers STARTTLS with this PEM key and certificate. */
  starttls?: { key: string; cert: string };
  onMessage?: (message: SinkMessage) => void;
  /** Every command line, as received. */
  onLine?: (line: string) => void;
  /** The greeting that refuses a connection, given the number of open ones, including it, and its address; null accepts it. */
  onConnect?: (open: number, from: string) => string | null;
  /** The reply to RCPT for an address, e.g. `550 5.1.1 No such user`; null accepts. */
  onRcpt?: (address: string, of: Pick<SinkMessage, 'from' | 'ehlo' | 'mailFrom'>) => string | null;
  /** The reply to the final dot; null accepts. */
  onData?: (message: SinkMessage) => string | null;
  /** Offered unless false. */
  pipelining?: boolean;
  eightBitMime?: boolean;
  smtpUtf8?: boolean;
  /** Offered when true. */
  dsn?: boolean;
  /** How long it thinks after the final dot, in milliseconds. */
  thinksMs?: number;
  /** Delay of its greeting, in milliseconds. */
  greetsAfterMs?: number;
  /** SIZE offered; 50 MiB by default. */
  size?: number;
  port?: number;
  host?: string;
}

export interface SmtpSink {
  host: string;
  port: number;
  messages: SinkMessage[];
  /** Messages accepted. */
  count: () => number;
  /** Connections ever opened. */
  connections: () => number;
  /** Connections that are open now. */
  open: () => number;
  /** Drops every connection and stops listening. */
  close: () => Promise<void>;
}

const END_OF_DATA = Buffer.from('\r\n.\r\n');
const CRLF = Buffer.from('\r\n');
const CRLF_DOT = Buffer.from('\r\n.');

interface Totals {
  messages: SinkMessage[];
  accepted: number;
  connections: number;
}

export async function startSmtpSink(options: SmtpSinkOptions): Promise<SmtpSink> {
  const sockets = new Set<Socket>();
  const totals: Totals = { messages: [], accepted: 0, connections: 0 };
  const context = options.starttls === undefined ? null : createSecureContext(options.starttls);
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    totals.connections += 1;
    socket.on('close', () => sockets.delete(socket));
    const refusal = options.onConnect?.(sockets.size, socket.remoteAddress ?? '') ?? null;
    if (refusal !== null) {
      socket.on('error', () => socket.destroy());
      sockets.delete(socket);
      // Unread, its end would never be noticed.
      socket.resume();
      socket.end(`${refusal}\r\n`);
      return;
    }
    serve(socket, options, context, totals);
  });
  await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');
  const { address, port } = server.address() as AddressInfo;
  return {
    host: address,
    port,
    messages: totals.messages,
    count: () => totals.accepted,
    connections: () => totals.connections,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

function serve(plain: Socket, options: SmtpSinkOptions, context: SecureContext | null, totals: Totals): void {
  let socket = plain;
  let tls: string | null = null;
  let rest: Buffer = Buffer.alloc(0);
  let parts: Buffer[] | null = null;
  let ehlo = '';
  let mailFrom = '';
  let rcptTo: string[] = [];
  let replies = '';
  /** Whether `replies` contains the one to a final dot. */
  let ended = false;

  plain.on('error', () => plain.destroy());
  plain.on('data', take);
  const greet = (): void => void plain.write(`220 ${options.name ?? 'sink'} ESMTP\r\n`);
  if (options.greetsAfterMs === undefined) greet();
  else setTimeout(greet, options.greetsAfterMs);

  function take(bytes: Buffer): void {
    let data = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    rest = Buffer.alloc(0);
    while (data.length > 0) {
      const left: Buffer | null = parts === null ? takeLine(data) : takeBody(data, parts);
      if (left === null) break;
      data = left;
    }
    const said = replies;
    replies = '';
    if (said === '') return;
    if (options.thinksMs !== undefined && parts === null && ended)
      setTimeout(() => socket.write(said), options.thinksMs);
    else socket.write(said);
    ended = false;
  }

  function takeLine(data: Buffer): Buffer | null {
    const end = data.indexOf(10);
    if (end === -1) {
      rest = data;
      return null;
    }
    const left = data.subarray(end + 1);
    const line = data.toString('utf8', 0, end).trimEnd();
    options.onLine?.(line);
    if (line.toUpperCase() === 'STARTTLS' && context !== null && tls === null) {
      upgrade(context);
      return null;
    }
    replies += `${answer(line)}\r\n`;
    return left;
  }

  // The body is searched with its last four octets of before, so that an end split over packets is found.
  function takeBody(bytes: Buffer, body: Buffer[]): Buffer | null {
    // With a CRLF in front, a dot in the first line is found like any other.
    const data = body.length === 0 ? Buffer.concat([CRLF, bytes]) : bytes;
    const end = data.indexOf(END_OF_DATA);
    if (end === -1) {
      const keep = Math.min(data.length, END_OF_DATA.length - 1);
      body.push(data.subarray(0, data.length - keep));
      rest = data.subarray(data.length - keep);
      return null;
    }
    body.push(data.subarray(0, end + 2));
    parts = null;
    ended = true;
    const raw =
      options.keep || options.onMessage || options.onData ? unstuff(Buffer.concat(body)).subarray(2) : null;
    replies += `${finish(raw)}\r\n`;
    return data.subarray(end + END_OF_DATA.length);
  }

  function finish(raw: Buffer | null): string {
    if (raw !== null) {
      const message = { ehlo, from: plain.remoteAddress ?? '', mailFrom, rcptTo, raw, tls };
      const refusal = options.onData?.(message) ?? null;
      if (refusal !== null) return refusal;
      if (options.keep) totals.messages.push(message);
      options.onMessage?.(message);
    }
    totals.accepted += 1;
    rcptTo = [];
    return `250 2.0.0 queued as ${totals.accepted}`;
  }

  function answer(line: string): string {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'EHLO') {
      ehlo = line.slice(5);
      return offers();
    }
    if (verb === 'HELO') return '250 sink';
    if (verb === 'MAIL') {
      mailFrom = addressIn(line);
      rcptTo = [];
      return '250 2.1.0 sender ok';
    }
    if (verb === 'RCPT') {
      const address = addressIn(line);
      const refusal = options.onRcpt?.(address, { from: plain.remoteAddress ?? '', ehlo, mailFrom }) ?? null;
      if (refusal === null) rcptTo.push(address);
      return refusal ?? '250 2.1.5 recipient ok';
    }
    if (verb === 'DATA') {
      if (rcptTo.length === 0) return '554 5.5.1 no valid recipients';
      parts = [];
      return '354 go ahead';
    }
    if (verb === 'RSET' || verb === 'NOOP') return '250 2.0.0 ok';
    if (verb === 'QUIT') {
      setImmediate(() => socket.end());
      return '221 2.0.0 bye';
    }
    return '500 5.5.2 what';
  }

  function offers(): string {
    const lines = ['sink', `SIZE ${options.size ?? 52_428_800}`, 'ENHANCEDSTATUSCODES'];
    if (options.eightBitMime !== false) lines.push('8BITMIME');
    if (options.smtpUtf8 !== false) lines.push('SMTPUTF8');
    if (options.dsn === true) lines.push('DSN');
    if (options.pipelining !== false) lines.push('PIPELINING');
    if (context !== null && tls === null) lines.push('STARTTLS');
    return lines.map((line, index) => `250${index < lines.length - 1 ? '-' : ' '}${line}`).join('\r\n');
  }

  function upgrade(secureContext: SecureContext): void {
    plain.removeListener('data', take);
    plain.write(`${replies}220 2.0.0 ready\r\n`);
    replies = '';
    const secured = new TLSSocket(plain, { isServer: true, secureContext });
    secured.on('error', () => secured.destroy());
    secured.on('secure', () => (tls = secured.getProtocol()));
    secured.on('data', take);
    socket = secured;
  }
}

function addressIn(line: string): string {
  return line.slice(line.indexOf('<') + 1, line.indexOf('>'));
}

function unstuff(message: Buffer): Buffer {
  if (!message.includes(CRLF_DOT)) return message;
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = message.indexOf(CRLF_DOT); at !== -1; at = message.indexOf(CRLF_DOT, from)) {
    parts.push(message.subarray(from, at + 2));
    from = at + 3;
  }
  parts.push(message.subarray(from));
  return Buffer.concat(parts);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sink = await startSmtpSink({
    keep: false,
    port: Number(process.argv[2] ?? 0),
    host: process.argv[3] ?? '127.0.0.1',
  });
  const ready = { host: sink.host, port: sink.port };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  process.on('message', () => process.send?.({ accepted: sink.count() }));
  process.send?.(ready);
}
