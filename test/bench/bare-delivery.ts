// The delivery thread of the scenario `bare`: composes, creates one RSA-2048 signature, and sends over one session per domain. It
// only supports a server that accepts everything.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { BareMessage } from './bare-program.js';
import { SENDER_DOMAIN } from './mail.js';

type State = 'greeting' | 'hello' | 'idle' | 'envelope' | 'message';

interface Session {
  socket: Socket;
  waiting: BareMessage[];
  state: State;
  /** Null between messages. */
  current: BareMessage | null;
  /** Replies that are pending before the next step. */
  answers: number;
}

/** MAIL, RCPT and DATA. */
const ENVELOPE_ANSWERS = 3;
const REPORT_MS = 2;
const BOUNDARY = 'bare';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const sessions = new Map<string, Session>();
let sent: number[] = [];

function report(id: number): void {
  sent.push(id);
  if (sent.length > 1) return;
  setTimeout(() => {
    parentPort?.postMessage(sent);
    sent = [];
  }, REPORT_MS);
}

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

function compose({ id, from, to, subject, text, html }: BareMessage): Buffer {
  const part = (type: string, content: string): string =>
    `--${BOUNDARY}\r\nContent-Type: text/${type}; charset=utf-8\r\n\r\n${crlf(content)}\r\n`;
  const body = Buffer.from(`${part('plain', text)}${part('html', html)}--${BOUNDARY}--\r\n`);
  const header =
    `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\nDate: ${new Date().toUTCString()}\r\nMessage-ID: <${id}@${SENDER_DOMAIN}>\r\n` +
    `MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=${BOUNDARY}\r\n`;
  const hash = createHash('sha256').update(body).digest('base64');
  const signature = `DKIM-Signature: v=1; a=rsa-sha256; d=${SENDER_DOMAIN}; s=bare; h=from:to:subject:date:message-id; bh=${hash}; b=`;
  const value = sign('sha256', Buffer.from(header + signature), privateKey).toString('base64');
  return Buffer.concat([Buffer.from(`${signature}${value}\r\n${header}\r\n`), body, Buffer.from('.\r\n')]);
}

function openSession(): Session {
  const socket = connect({ port: workerData as number, host: '127.0.0.1', noDelay: true });
  const session: Session = { socket, waiting: [], state: 'greeting', current: null, answers: 1 };
  let pending = '';
  socket.on('data', (octets: Buffer) => {
    pending += octets.toString('latin1');
    for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
      // The last line of a reply (RFC 5321 section 4.2).
      const isLast = pending[3] === ' ';
      pending = pending.slice(end + 2);
      if (isLast) session.answers -= 1;
      if (isLast && session.answers === 0) proceed(session);
    }
  });
  return session;
}

function proceed(session: Session): void {
  switch (session.state) {
    case 'greeting':
      write(session, 'hello', `EHLO mta.${SENDER_DOMAIN}\r\n`);
      break;
    case 'envelope':
      if (session.current !== null) write(session, 'message', compose(session.current));
      break;
    case 'message':
      if (session.current !== null) report(session.current.id);
      begin(session);
      break;
    case 'hello':
    case 'idle':
      begin(session);
  }
}

/** The envelope in one write, as PIPELINING allows (RFC 2920). */
function begin(session: Session): void {
  const message = session.waiting.shift() ?? null;
  session.current = message;
  session.state = 'idle';
  if (message === null) return;
  const envelope = `MAIL FROM:<bare@${SENDER_DOMAIN}>\r\nRCPT TO:<${message.to}>\r\nDATA\r\n`;
  write(session, 'envelope', envelope, ENVELOPE_ANSWERS);
}

function write(session: Session, state: State, octets: string | Buffer, answers = 1): void {
  session.state = state;
  session.answers = answers;
  session.socket.write(octets);
}

parentPort?.on('message', (messages: readonly BareMessage[]) => {
  for (const message of messages) {
    const domain = message.to.slice(message.to.indexOf('@') + 1);
    const session = sessions.get(domain) ?? openSession();
    sessions.set(domain, session);
    session.waiting.push(message);
    if (session.state === 'idle') begin(session);
  }
});
