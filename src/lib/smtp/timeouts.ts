// Defines time limits for the phases of an SMTP conversation and measures the phases. The limits are at least
// those of RFC 5321 section 4.5.3.2, because servers with slow greetings and replies (tarpits, look-ups of
// the sender) do accept mail.
import { performance } from 'node:perf_hooks';

export interface SmtpTimeouts {
  /** TCP connection to one address. */
  connectMs: number;
  greetingMs: number;
  ehloMs: number;
  /** The STARTTLS reply and the TLS handshake together. */
  starttlsMs: number;
  /** Each reply of an AUTH exchange. */
  authMs: number;
  mailMs: number;
  rcptMs: number;
  dataMs: number;
  /** Each block of the message (at most 256 KiB) to leave the send buffer. */
  blockMs: number;
  /** The reply to the final dot. Long on purpose, because giving up early causes duplicates. */
  dotMs: number;
  quitMs: number;
}

export const DEFAULT_SMTP_TIMEOUTS: Readonly<SmtpTimeouts> = {
  connectMs: 30_000,
  greetingMs: 300_000,
  ehloMs: 300_000,
  starttlsMs: 30_000,
  authMs: 300_000,
  mailMs: 300_000,
  rcptMs: 300_000,
  dataMs: 120_000,
  blockMs: 180_000,
  dotMs: 600_000,
  quitMs: 5_000,
};

/**
 * Milliseconds per phase, to one decimal. Phases that were not reached are missing; repeated ones are added
 * up.
 */
export type PhaseTimes = Readonly<Record<string, number>>;

export interface Stopwatch {
  readonly times: PhaseTimes;
  /** Attributes the time since the last call (or the start) to a phase. */
  lap: (phase: string) => void;
}

export function startStopwatch(): Stopwatch {
  const times: Record<string, number> = {};
  let since = performance.now();
  return {
    times,
    lap(phase) {
      const now = performance.now();
      times[phase] = Math.round(((times[phase] ?? 0) + now - since) * 10) / 10;
      since = now;
    },
  };
}
