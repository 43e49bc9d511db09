// AUTH PLAIN (RFC 4616) and AUTH LOGIN for a smart host. Secrets never enter the conversation record.

import { failedStep, type FailedStep } from './failed-step.js';
import { isReply, type SmtpWire } from './wire.js';

export interface Credentials {
  user: string;
  pass: string;
}

const MASK = '***';

/** Null when the peer accepted the credentials. PLAIN is preferred; a peer that offers neither is a failure. */
export async function authenticate(
  wire: SmtpWire,
  credentials: Credentials,
  offered: readonly string[],
  timeoutMs: number,
): Promise<FailedStep | null> {
  if (offered.includes('PLAIN')) {
    const secret = base64(`\0${credentials.user}\0${credentials.pass}`);
    return converse(wire, [[`AUTH PLAIN ${secret}`, `AUTH PLAIN ${MASK}`]], timeoutMs);
  }
  if (offered.includes('LOGIN')) {
    const lines: Line[] = [
      ['AUTH LOGIN', 'AUTH LOGIN'],
      [base64(credentials.user), MASK],
      [base64(credentials.pass), MASK],
    ];
    return converse(wire, lines, timeoutMs);
  }
  return failedStep('auth', 'the peer offers neither AUTH PLAIN nor AUTH LOGIN');
}

/** The line that is sent, and the one that is recorded. */
type Line = [sent: string, shown: string];

async function converse(wire: SmtpWire, lines: Line[], timeoutMs: number): Promise<FailedStep | null> {
  for (const [index, [sent, shown]] of lines.entries()) {
    wire.send([sent], [shown]);
    const received = await wire.reply(timeoutMs);
    const expected = index === lines.length - 1 ? 235 : 334;
    if (!isReply(received) || received.code !== expected) return failedStep('auth', received);
  }
  return null;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
