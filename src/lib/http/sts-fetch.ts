// Fetches MTA-STS policy files over HTTPS (RFC 8461 section 3.3) with a matching certificate, no redirects,
// guarded addresses and one deadline. Failures are values, never exceptions.
import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { TLSSocket, type PeerCertificate, type SecureContext } from 'node:tls';
import { domainProblem } from '../mime/index.js';
import { MAX_POLICY_BYTES } from '../tls-policy/index.js';
import { connectionProblem, guardedLookup, resolveBySystem, type ResolveName } from './address-guard.js';
import { trustContext } from '../tls/index.js';
import { rethrowProgrammingError } from '../runtime/index.js';

const POLICY_PATH = '/.well-known/mta-sts.txt';
const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_DETAIL_CHARACTERS = 200;
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/g;

export type FetchedPolicy =
  /** The file as received, not parsed. */
  | { kind: 'fetched'; text: string }
  /** `resultType` is a result type of TLS reports (RFC 8460 section 4.3.2.2). */
  | { kind: 'failed'; resultType: 'sts-policy-fetch-error' | 'sts-webpki-invalid'; detail: string };

/** Fetches the policy of `domain` (A-labels). Aborting the signal makes the fetch fail. */
export type FetchPolicy = (domain: string, signal?: AbortSignal) => Promise<FetchedPolicy>;

export interface PolicyFetchOptions {
  /** Allows loopback and private addresses. */
  allowPrivate: boolean;
  /** Default 443. */
  port?: number;
  /** Limit of the whole exchange, including look-up and connection. Default 60,000. */
  timeoutMs?: number;
  /** Default: the system's resolver. */
  resolve?: ResolveName;
  /** PEM certificates trusted in addition to the public ones. */
  extraCa?: readonly string[];
}

/** The server's response is not the policy file. */
class UnusableAnswer extends Error {}

function firstCause(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}

function describe(error: unknown, deadline: AbortSignal): string {
  if (deadline.aborted) return 'timed out';
  const cause = firstCause(error);
  if (!(cause instanceof Error)) return 'unknown error';
  return connectionProblem(cause).replace(CONTROL_CHARACTERS, ' ').slice(0, MAX_DETAIL_CHARACTERS);
}

/**
 * Checks the certificate more strictly than Node: only names in subjectAltName count, and an asterisk stands
 * for a whole label (RFC 8461 section 3.3, RFC 6125 section 6.4).
 */
function checkPolicyHost(host: string, certificate: PeerCertificate): Error | undefined {
  const fits = new X509Certificate(certificate.raw).checkHost(host, {
    subject: 'never',
    partialWildcards: false,
  });
  if (fits !== undefined) return undefined;
  return Object.assign(new Error(`the certificate is not for ${host}`), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
}

function checkHead({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode !== 200) {
    const isRedirect = statusCode >= 300 && statusCode < 400;
    throw new UnusableAnswer(
      `HTTP status ${statusCode}${isRedirect ? ', and redirects are not followed' : ''}`,
    );
  }
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'text/plain') throw new UnusableAnswer('the content type is not text/plain');
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw new UnusableAnswer('the answer is compressed');
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // An error that leaves the loop destroys the response and its connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_POLICY_BYTES) throw new UnusableAnswer('the policy file is larger than 64 KiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Creates a fetch that opens a connection per request, because policy hosts are many and rarely asked. */
export function createPolicyFetch(options: PolicyFetchOptions): FetchPolicy {
  const { allowPrivate, port = 443, timeoutMs = DEFAULT_TIMEOUT_MS, resolve = resolveBySystem } = options;
  const lookup = guardedLookup({ allowPrivate, resolve });

  return async (domain, stop) => {
    if (domainProblem(domain) !== null) {
      return {
        kind: 'failed',
        resultType: 'sts-policy-fetch-error',
        detail: 'the domain is not a host name',
      };
    }
    const host = `mta-sts.${domain}`;
    const deadline = AbortSignal.timeout(timeoutMs);
    // Node passes the context to the TLS socket, although its types don't allow it.
    const requestOptions: RequestOptions & { secureContext: SecureContext } = {
      host,
      port,
      path: POLICY_PATH,
      servername: host,
      lookup,
      secureContext: trustContext(options.extraCa),
      checkServerIdentity: checkPolicyHost,
      agent: false,
      maxHeaderSize: 16 * 1024,
      headers: { accept: 'text/plain', 'user-agent': 'Mailkeel' },
      signal: stop ? AbortSignal.any([deadline, stop]) : deadline,
    };
    const exchange = startExchange(requestOptions);
    try {
      const response = await exchange.response;
      try {
        checkHead(response);
        return { kind: 'fetched', text: await readBody(response) };
      } finally {
        response.destroy();
      }
    } catch (error) {
      rethrowProgrammingError(error);
      const resultType = exchange.isUntrusted() ? 'sts-webpki-invalid' : 'sts-policy-fetch-error';
      return { kind: 'failed', resultType, detail: describe(error, deadline) };
    }
  };
}

function startExchange(options: RequestOptions): {
  response: Promise<IncomingMessage>;
  /** Returns whether the handshake failed because of the certificate. */
  isUntrusted: () => boolean;
} {
  const sent = request(options);
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', reject);
  });
  sent.end();
  return {
    response,
    // Contrary to its types, Node only sets it if the verification failed.
    isUntrusted: () => sent.socket instanceof TLSSocket && Boolean(sent.socket.authorizationError),
  };
}
