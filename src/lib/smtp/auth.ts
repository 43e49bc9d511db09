// Signs in to a smarthost with AUTH PLAIN (RFC 4616), AUTH LOGIN or AUTH XOAUTH2 (Google, Microsoft). Keeps
// secrets out of the recorded conversation.
import { readFile } from 'node:fs/promises';
import { failedStep, type FailedStep } from './failed-step.js';
import { isReply, type SmtpWire } from './wire.js';

export type Credentials =
  | { user: string; pass: string }
  /** File with an OAuth access token. It is read for each session, because another program renews it. */
  | { user: string; tokenFile: string }
  | { user: string; tokens: AccessTokens };

/** A source of OAuth access tokens. */
export interface AccessTokens {
  /** Rejects with the reason if there is no token. */
  get(): Promise<string>;
  /** Called when the peer has refused the token. */
  refused(): void;
}

const MASK = '***';

/**
 * Resolves to `null` if the peer accepts the credentials. PLAIN is preferred. Fails if the peer offers no
 * suitable mechanism.
 */
export async function authenticate(
  wire: SmtpWire,
  credentials: Credentials,
  offered: readonly string[],
  timeoutMs: number,
): Promise<FailedStep | null> {
  if (!('pass' in credentials)) {
    if (!offered.includes('XOAUTH2')) return failedStep('auth', 'the peer does not offer AUTH XOAUTH2');
    const { user } = credentials;
    const tokens = 'tokens' in credentials ? credentials.tokens : tokensInFile(credentials.tokenFile);
    return authenticateByToken(wire, { user, tokens }, timeoutMs);
  }
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

async function authenticateByToken(
  wire: SmtpWire,
  { user, tokens }: { user: string; tokens: AccessTokens },
  timeoutMs: number,
): Promise<FailedStep | null> {
  let token: string;
  try {
    token = await tokens.get();
  } catch (error) {
    return failedStep('auth', error instanceof Error ? error.message : 'there is no OAuth access token');
  }
  if (!/^[\x21-\x7e]+$/.test(token)) return failedStep('auth', 'the OAuth access token is malformed');
  const secret = base64(`user=${user}\x01auth=Bearer ${token}\x01\x01`);
  wire.send([`AUTH XOAUTH2 ${secret}`], [`AUTH XOAUTH2 ${MASK}`]);
  let received = await wire.reply(timeoutMs);
  if (isReply(received) && received.code === 334) {
    // The peer has explained why it refuses the token, and replies after an empty line.
    wire.send(['']);
    received = await wire.reply(timeoutMs);
  }
  if (isReply(received) && received.code === 235) return null;
  tokens.refused();
  return failedStep('auth', received);
}

function tokensInFile(file: string): AccessTokens {
  return {
    async get() {
      const text = await readFile(file, 'utf8').then(
        (content) => content.trim(),
        () => '',
      );
      if (text === '') throw new Error('the OAuth token file is empty');
      return text;
    },
    refused: () => undefined,
  };
}

/** The line to send, and the one to record. */
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
