// Reads the extensions that a peer offers in its EHLO reply (RFC 5321 section 4.1.1.1).

export interface SmtpCapabilities {
  pipelining: boolean;
  eightBitMime: boolean;
  smtpUtf8: boolean;
  dsn: boolean;
  startTls: boolean;
  requireTls: boolean;
  /** Largest message in octets; `null` if the peer states no limit (no SIZE, or SIZE 0). */
  maxSizeBytes: number | null;
  /** SASL mechanisms, upper case. */
  auth: string[];
}

/**
 * Parses the lines of a 250 reply to EHLO. The first line is the peer's name; unknown keywords are ignored.
 */
export function parseCapabilities(lines: readonly string[]): SmtpCapabilities {
  const offered = new Map<string, string[]>();
  const auth: string[] = [];
  for (const line of lines.slice(1)) {
    // Some servers still send the old spelling "AUTH=LOGIN" next to the correct one.
    const [keyword = '', ...words] = line
      .trim()
      .toUpperCase()
      .replace(/^AUTH=/, 'AUTH ')
      .split(/\s+/);
    if (keyword === 'AUTH') auth.push(...words);
    else offered.set(keyword, words);
  }
  const size = offered.get('SIZE')?.[0] ?? '';
  return {
    pipelining: offered.has('PIPELINING'),
    eightBitMime: offered.has('8BITMIME'),
    smtpUtf8: offered.has('SMTPUTF8'),
    dsn: offered.has('DSN'),
    startTls: offered.has('STARTTLS'),
    requireTls: offered.has('REQUIRETLS'),
    maxSizeBytes: /^\d{1,15}$/.test(size) && Number(size) > 0 ? Number(size) : null,
    auth: [...new Set(auth)],
  };
}

/** The capabilities after HELO: none. */
export const NO_CAPABILITIES: Readonly<SmtpCapabilities> = parseCapabilities([]);
