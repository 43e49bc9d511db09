// Orders a certificate: account, order, HTTP-01 challenges, download (RFC 8555 section 7.1). Failures of the
// server are values, never exceptions.
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { acmeAdvice, type AcmeProblem } from './acme-problem.rules.js';
import { cleanReplyText } from '../smtp-replies/index.js';
import type { AcmeChallenges } from './acme-challenges.js';
import { AcmeFault, createAcmeExchange, type AcmeExchange } from './acme-exchange.js';
import { type CertificatePair, newRsaKey } from '../tls/index.js';
import { rethrowProgrammingError } from '../runtime/index.js';

/** Limit of the whole order, including waits that the server asks for. */
const ORDER_MS = 10 * 60_000;
const NO_DIRECTORY = 'the answer is no ACME directory';
const TOO_SLOW = 'the order was not finished in ten minutes';
/** Polls of a challenge or certificate: after 1 s, 2 s, 4 s and so on, 14 times. */
const POLLS = { backoffAttempts: 15, backoffMin: 1000, backoffMax: 15_000 } as const;

/** Generates an account key (ES256, which every server supports: RFC 8555 section 6.2) as PKCS #8 in PEM. */
export async function newAccountKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export interface AcmeOrder {
  directoryUrl: string;
  /** PEM. The account is created if the server does not know it. */
  accountKey: string;
  email: string;
  names: readonly string[];
  challenges: AcmeChallenges;
  extraCaFile: string | null;
  now: number;
  signal: AbortSignal;
}

export interface AcmeFailure extends AcmeProblem {
  /** Advice for the operator. */
  advice: string;
  askedWaitMs: number | null;
}

export type OrderOutcome =
  | { kind: 'issued'; pair: CertificatePair }
  | { kind: 'failed'; failure: AcmeFailure };

/**
 * Orders a certificate. Only rejects if `extraCaFile` is unreadable. Run one order at a time, because the
 * client's configuration is global.
 */
export async function orderCertificate(order: AcmeOrder): Promise<OrderOutcome> {
  const signal = AbortSignal.any([order.signal, AbortSignal.timeout(ORDER_MS)]);
  const exchange = createAcmeExchange({ extraCaFile: order.extraCaFile, now: order.now, signal });
  try {
    return { kind: 'issued', pair: await Promise.race([runOrder(order, exchange), aborted(signal)]) };
  } catch (error) {
    rethrowProgrammingError(error);
    const failure = signal.aborted && !order.signal.aborted ? new AcmeFault('too-slow', TOO_SLOW) : error;
    return { kind: 'failed', failure: toFailure(failure, exchange) };
  } finally {
    await exchange.close();
  }
}

async function runOrder(order: AcmeOrder, exchange: AcmeExchange): Promise<CertificatePair> {
  // Loading takes a fifth of a second, and it is needed every two months.
  const { default: acme } = await import('acme-client');
  acme.axios.defaults.adapter = exchange.adapter;
  const client = new acme.Client({
    directoryUrl: order.directoryUrl,
    accountKey: order.accountKey,
    ...POLLS,
  });
  // Reads the directory first, so that no key is generated for an unreachable authority.
  await client.getTermsOfServiceUrl().catch((error: unknown) => {
    throw error instanceof TypeError ? new AcmeFault('not-acme', NO_DIRECTORY) : error;
  });
  const key = await newRsaKey();
  const [, csr] = await acme.crypto.createCsr({ altNames: [...order.names] }, key);
  const cert = await client.auto({
    csr,
    email: order.email,
    termsOfServiceAgreed: true,
    challengePriority: ['http-01'],
    // From this server its own names may resolve differently than from the internet; only the authority's
    // check counts.
    skipChallengeVerification: true,
    challengeCreateFn: (authorization, challenge, keyAuthorization) => {
      if (challenge.type !== 'http-01') {
        const offered = authorization.challenges.map(({ type }) => type).join(', ');
        return Promise.reject(new AcmeFault('no-http-01', `the server offers ${offered}`));
      }
      return order.challenges.open(challenge.token, keyAuthorization);
    },
    challengeRemoveFn: (_authorization, challenge) => order.challenges.close(challenge.token),
  });
  return { key, cert };
}

/** The client ignores the signal while it waits between polls. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new AcmeFault('stopped', 'stopped')), { once: true });
  });
}

/** Finds the type of a problem by its text, because the client only passes on the text without line ends. */
function toFailure(error: unknown, exchange: AcmeExchange): AcmeFailure {
  const detail = cleanReplyText(error instanceof Error ? error.message : String(error));
  const reported = [...exchange.problems()]
    .reverse()
    .find((one) => beginning(one.detail) === beginning(detail));
  const problem =
    error instanceof AcmeFault ? { type: error.type, detail } : (reported ?? { type: 'unknown', detail });
  return { ...problem, advice: acmeAdvice(problem), askedWaitMs: exchange.askedWaitMs() };
}

function beginning(words: string): string {
  return words.replace(/\s/g, '').slice(0, 300);
}
