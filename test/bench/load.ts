// Helper process that generates the load. It sends HTTP/1.1 on bare sockets with prebuilt requests, because a full client would
// use the CPU that it is meant to measure, and SMTP through Mailkeel's own client session.
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connectSmtp } from '../../src/lib/smtp/index.js';
import { serveQuestions } from './child.js';
import {
  bounceTemplate,
  mimeTemplate,
  postTemplate,
  recipient,
  replyTemplate,
  SENDER_DOMAIN,
  type Template,
} from './mail.js';

export interface LoadJob {
  port: number;
  /** API key; the password for SMTP, '' if there is none. */
  key: string;
  connections: number;
  /** Messages `first` to `first + count - 1` are sent. */
  first: number;
  count: number;
  /** Additional fields of the request body. */
  extra?: Record<string, unknown>;
}

export interface LoadResult {
  /** Epoch ms. */
  startedAt: number;
  endedAt: number;
  accepted: number;
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Bytes on the wire of one request. */
  requestBytes: number;
}

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;

const nowMs = (): number => performance.timeOrigin + performance.now();

function result(startedAt: number, latencies: Float64Array, requestBytes: number): LoadResult {
  const endedAt = nowMs();
  const sorted = latencies.toSorted();
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    startedAt,
    endedAt,
    accepted: sorted.length,
    perSecond: (sorted.length / (endedAt - startedAt)) * 1_000,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    maxMs: at(1),
    requestBytes,
  };
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', resolve);
  });
  return socket;
}

/** Takes numbers from `next` and posts them one after the other. Any response but 202 ends the run. */
function postAll(
  socket: Socket,
  source: Template,
  next: () => number | null,
  done: (latencyMs: number) => void,
) {
  const request = Buffer.from(source.bytes);
  let pending = '';
  let sentAt = 0;
  return new Promise<void>((resolve, reject) => {
    const send = (): void => {
      const index = next();
      if (index === null) {
        resolve();
        return;
      }
      // The previous response has arrived, so the kernel has taken the whole buffer.
      source.fill(request, index);
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk: Buffer) => {
      pending += chunk.toString('latin1');
      const headEnd = pending.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const length = Number(LENGTH.exec(pending)?.[1] ?? NaN);
      if (Number.isNaN(length)) reject(new Error(`an answer without a length: ${pending.slice(0, 200)}`));
      if (pending.length < headEnd + HEAD_END.length + length) return;
      if (!pending.startsWith('HTTP/1.1 202')) reject(new Error(pending.slice(0, 1_200)));
      pending = '';
      done(performance.now() - sentAt);
      send();
    });
    send();
  });
}

async function post(job: LoadJob): Promise<LoadResult> {
  const source = postTemplate({ host: `127.0.0.1:${job.port}`, key: job.key, extra: job.extra ?? {} });
  const sockets = await Promise.all(Array.from({ length: job.connections }, () => openSocket(job.port)));
  const latencies = new Float64Array(job.count);
  let taken = 0;
  let answered = 0;
  const next = (): number | null => (taken < job.count ? job.first + taken++ : null);
  const startedAt = nowMs();
  try {
    await Promise.all(
      sockets.map((socket) =>
        postAll(socket, source, next, (latencyMs) => {
          latencies[answered] = latencyMs;
          answered += 1;
        }),
      ),
    );
    return result(startedAt, latencies, source.bytes.length);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

export interface PaceJob extends LoadJob {
  /** Between the beginnings of two posts. */
  everyMs: number;
}

/** Posts one message after the other at a steady pace; returns when each 202 arrived, in epoch ms. */
async function pace(job: PaceJob): Promise<number[]> {
  const source = postTemplate({ host: `127.0.0.1:${job.port}`, key: job.key, extra: job.extra ?? {} });
  const answeredAt: number[] = [];
  const sockets = await Promise.all(Array.from({ length: job.connections }, () => openSocket(job.port)));
  const startedAt = performance.now();
  let taken = 0;
  try {
    // As many at a time as there are connections, so that a slow response does not delay the next message.
    await Promise.all(
      sockets.map(async (socket) => {
        while (taken < job.count) {
          const place = taken++;
          await delay(Math.max(0, startedAt + place * job.everyMs - performance.now()));
          let isNext = true;
          const next = (): number | null => {
            const index = isNext ? job.first + place : null;
            isNext = false;
            return index;
          };
          await postAll(socket, source, next, () => (answeredAt[place] = nowMs()));
          for (const event of ['data', 'error', 'close']) socket.removeAllListeners(event);
        }
      }),
    );
    return answeredAt;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** If there is a key, signs in over TLS from the start, as on port 465. */
async function openSession(port: number, key: string | null) {
  const opened = await connectSmtp({
    host: 'mta.bench.test',
    address: '127.0.0.1',
    port,
    ehloName: 'load.bench.test',
    tls: { mode: key === null ? 'none' : 'implicit', verify: false },
    ...(key === null ? {} : { auth: { user: 'key', pass: key } }),
  });
  if (opened.kind === 'failed') throw new Error(opened.error);
  return opened.session;
}

interface Mail {
  from: string;
  to: string;
  bytes: Buffer;
}

/** Submits mails one after the other over each session. Any reply but 250 ends the run. */
async function sendAll(
  job: LoadJob,
  key: string | null,
  mailOf: (index: number) => Mail,
): Promise<LoadResult> {
  const open = () => openSession(job.port, key);
  const sessions = await Promise.all(Array.from({ length: job.connections }, open));
  const latencies = new Float64Array(job.count);
  let taken = 0;
  let answered = 0;
  const startedAt = nowMs();
  await Promise.all(
    sessions.map(async (session) => {
      while (taken < job.count) {
        const { from, to, bytes } = mailOf(job.first + taken++);
        const sentAt = performance.now();
        const outcome = await session.deliver({
          mailFrom: from,
          rcptTo: to,
          size: bytes.length,
          chunks: [bytes],
          beforeDot: () => Promise.resolve(true),
        });
        if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
        latencies[answered] = performance.now() - sentAt;
        answered += 1;
      }
    }),
  );
  const finished = result(startedAt, latencies, mailOf(job.first).bytes.length);
  for (const session of sessions) session.destroy();
  return finished;
}

function filled(source: Template, index: number): Buffer {
  const bytes = Buffer.from(source.bytes);
  source.fill(bytes, index);
  return bytes;
}

/** Submits to a server that accepts everything, or with the key of the job to the relay. */
function submit(job: LoadJob): Promise<LoadResult> {
  const source = mimeTemplate();
  const from = `orders@${SENDER_DOMAIN}`;
  return sendAll(job, job.key === '' ? null : job.key, (index) => ({
    from,
    to: recipient(index),
    bytes: filled(source, index),
  }));
}

export interface ReturnJob extends LoadJob {
  /** Alternates between a bounce to each return path and a reply to each reply address. */
  addresses: { bounce: string; reply: string }[];
}

/** Sends mail about messages `first` and later: bounces of odd ones, replies to even ones. */
function comeBack(job: ReturnJob): Promise<LoadResult> {
  const bounce = bounceTemplate();
  const reply = replyTemplate();
  return sendAll(job, null, (index) => {
    const { bounce: returnPath = '', reply: replyTo = '' } = job.addresses[index - job.first] ?? {};
    return index % 2 === 1
      ? { from: '', to: returnPath, bytes: filled(bounce, index) }
      : { from: recipient(index), to: replyTo, bytes: filled(reply, index) };
  });
}

serveQuestions({ post, submit, comeBack, pace });
