// How long each phase of an SMTP conversation may take (RFC 5321 section 4.5.3.2, shortened where peers are known to be quick).

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
  /** Each block of the message (256 KiB at most) leaving our send buffer. */
  blockMs: number;
  /** The reply to the final dot. Long on purpose: giving up early here makes duplicates. */
  dotMs: number;
  quitMs: number;
}

export const DEFAULT_SMTP_TIMEOUTS: Readonly<SmtpTimeouts> = {
  connectMs: 30_000,
  greetingMs: 120_000,
  ehloMs: 60_000,
  starttlsMs: 30_000,
  authMs: 60_000,
  mailMs: 120_000,
  rcptMs: 120_000,
  dataMs: 120_000,
  blockMs: 180_000,
  dotMs: 600_000,
  quitMs: 5_000,
};
