// Tests that the client's time limits are at least those of RFC 5321 section 4.5.3.2.
import { expect, it } from 'vitest';
import { DEFAULT_SMTP_TIMEOUTS } from '../../../src/lib/smtp/timeouts.js';
import { loadConfig } from '../../../src/settings/load.js';

const MINUTE_MS = 60_000;

it('are as long as RFC 5321 requires, in the library and in the server', () => {
  const { config } = loadConfig({ env: {} });
  const limits: [minutes: number, ...limits: number[]][] = [
    [5, DEFAULT_SMTP_TIMEOUTS.greetingMs, config.smtpGreetingTimeoutMs],
    [5, DEFAULT_SMTP_TIMEOUTS.mailMs, config.smtpCommandTimeoutMs],
    [5, DEFAULT_SMTP_TIMEOUTS.rcptMs, config.smtpCommandTimeoutMs],
    [2, DEFAULT_SMTP_TIMEOUTS.dataMs, config.smtpDataTimeoutMs],
    [3, DEFAULT_SMTP_TIMEOUTS.blockMs, config.smtpBlockTimeoutMs],
    [10, DEFAULT_SMTP_TIMEOUTS.dotMs, config.smtpDotTimeoutMs],
  ];
  for (const [minutes, ...found] of limits)
    expect(Math.min(...found)).toBeGreaterThanOrEqual(minutes * MINUTE_MS);
});
