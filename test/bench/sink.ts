// Helper process that is the receiving mail server. Records which numbered messages arrived, when, how often and with which
// signature.
import { startSmtpSink, type SinkMessage } from '../support/smtp-sink.js';
import { serveQuestions } from './child.js';
import { recipientIndex } from './mail.js';

export interface SinkStats {
  /** Different messages since the last reset. */
  distinct: number;
  doubles: number;
  /** Epoch ms. */
  firstAt: number;
  lastAt: number;
  leastSignatures: number;
  mostSignatures: number;
  leastBytes: number;
  connections: number;
}

const LARGEST_INDEX = 4_000_000;
const SAMPLE_EVERY = 500;
const HEADER_END = Buffer.from('\r\n\r\n');
const SIGNATURE = /^DKIM-Signature:/gim;

const nowMs = (): number => performance.timeOrigin + performance.now();

const seen = new Uint8Array(LARGEST_INDEX);
let stats = emptyStats();
let samples: string[] = [];
/** Arrival times of the watched messages, by number from `first` on; epoch ms, 0 before arrival. */
let watched = { first: 0, at: new Float64Array(0) };
let waiting: { distinct: number; resolve: (stats: SinkStats) => void } | null = null;

function emptyStats(): SinkStats {
  return {
    distinct: 0,
    doubles: 0,
    firstAt: 0,
    lastAt: 0,
    leastSignatures: Infinity,
    mostSignatures: 0,
    leastBytes: Infinity,
    connections: 0,
  };
}

function take(message: SinkMessage): void {
  const index = recipientIndex(message.rcptTo[0] ?? '');
  if (!(index >= 0)) return;
  if (seen[index]) {
    stats.doubles += 1;
    return;
  }
  seen[index] = 1;
  const now = nowMs();
  stats.distinct += 1;
  if (stats.firstAt === 0) stats.firstAt = now;
  stats.lastAt = now;
  const place = index - watched.first;
  if (place >= 0 && place < watched.at.length) watched.at[place] = now;
  const header = message.raw.toString('latin1', 0, message.raw.indexOf(HEADER_END));
  const signatures = header.match(SIGNATURE)?.length ?? 0;
  stats.leastSignatures = Math.min(stats.leastSignatures, signatures);
  stats.mostSignatures = Math.max(stats.mostSignatures, signatures);
  stats.leastBytes = Math.min(stats.leastBytes, message.raw.length);
  if (stats.distinct % SAMPLE_EVERY === 1) samples.push(message.raw.toString('latin1'));
  if (waiting && stats.distinct >= waiting.distinct) {
    waiting.resolve(stats);
    waiting = null;
  }
}

const sink = await startSmtpSink({ keep: false, host: '0.0.0.0', onMessage: take });

serveQuestions({
  port: () => sink.port,
  reset() {
    stats = emptyStats();
    samples = [];
    seen.fill(0);
  },
  stats: () => ({ ...stats, connections: sink.connections() }),
  /** Resolves once this many different messages have arrived since the reset. */
  wait: (distinct: number) =>
    new Promise<SinkStats>((resolve) => {
      if (stats.distinct >= distinct) resolve(stats);
      else waiting = { distinct, resolve };
    }),
  watch({ first, count }: { first: number; count: number }) {
    watched = { first, at: new Float64Array(count) };
  },
  arrivals: () => [...watched.at],
  /** One message in 500, as latin1. */
  samples: () => samples,
});
