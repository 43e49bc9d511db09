// Reads the signature of an AWS client's request, and refuses those that are missing, incomplete or old.
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import type { RequestSignature, SignatureReader } from '../../http/access/signature.js';
import type { CompatContext } from '../context.js';
import {
  isSignedBy,
  parseAmzDate,
  parseAuthorization,
  sha256,
  type Authorization,
} from './signature.rules.js';

/** The second is the name of the host, which some clients sign for. */
const SERVICES = ['ses', 'email'];
/** The difference between the clocks that AWS tolerates. */
const MAX_SKEW_MS = 15 * 60_000;
const REQUIRED = ['host', 'x-amz-date'];

type SignatureFault = 'missing' | 'incomplete' | 'expired' | 'wrong' | 'token';

/** A refused signature. */
export class SignatureRefusal extends Refusal {
  readonly fault: SignatureFault;

  constructor(fault: SignatureFault, message: string) {
    super('unauthorized', message);
    this.fault = fault;
  }
}

export function createSignatureReader({ clock, config }: CompatContext): SignatureReader {
  const { host: publicHost, pathname } = new URL(config.publicUrl);
  const publicPath = pathname.replace(/\/$/, '');
  return (request) => {
    const { authorization, amzDate } = readHeaders(request);
    const at = parseAmzDate(amzDate);
    if (at === null || !amzDate.startsWith(authorization.date)) {
      throw new SignatureRefusal('incomplete', 'X-Amz-Date must be the time of the signature.');
    }
    if (Math.abs(clock() - at) > MAX_SKEW_MS) {
      const now = new Date(clock()).toISOString();
      throw new SignatureRefusal(
        'expired',
        `The signature is of ${amzDate}, more than 15 minutes from the time of the server (${now}). Set the clock of the client.`,
      );
    }
    return signatureOf(request, { authorization, amzDate, publicHost, publicPath });
  };
}

interface ReadSignature {
  authorization: Authorization;
  amzDate: string;
  /** Host and path before that of the operation, as clients of a proxy see them. */
  publicHost: string;
  publicPath: string;
}

function signatureOf(
  request: FastifyRequest,
  { authorization, amzDate, publicHost, publicPath }: ReadSignature,
): RequestSignature {
  const [path = '', query = ''] = request.originalUrl.split(/\?(.*)/s, 2);
  const named = headersByName(request);
  const signed = (prefix: string, host: readonly string[]) => ({
    method: request.method,
    path: `${prefix}${path}`,
    query,
    amzDate,
    headerValues: (name: string) => (name === 'host' ? host : (named.get(name) ?? [])),
  });
  // A proxy may change the host and remove the beginning of the path, which the client has signed.
  const places = [signed('', named.get('host') ?? []), signed(publicPath, [publicHost])];
  return {
    keyId: authorization.accessKeyId,
    verify(secret, body) {
      const bodyHash = sha256(body);
      const [claimed] = named.get('x-amz-content-sha256') ?? [];
      if (claimed !== undefined && claimed !== bodyHash) {
        throw new SignatureRefusal(
          'wrong',
          'X-Amz-Content-Sha256 does not match the body. The signature must cover the body.',
        );
      }
      if (places.some((place) => isSignedBy(secret, authorization, { ...place, bodyHash }))) return;
      throw new SignatureRefusal(
        'wrong',
        'The signature does not match the request. Check the secret access key, and that no proxy changes the Host header or the path.',
      );
    },
  };
}

function readHeaders({ headers, query }: FastifyRequest): { authorization: Authorization; amzDate: string } {
  if (headers['x-amz-security-token'] !== undefined) {
    const message =
      'Session tokens are not supported. Use the access key ID and the secret access key alone.';
    throw new SignatureRefusal('token', message);
  }
  if (headers.authorization === undefined) {
    const inQuery = typeof query === 'object' && query !== null && 'X-Amz-Signature' in query;
    throw new SignatureRefusal(
      'missing',
      inQuery
        ? 'Signatures in the query are not supported. Sign the request in the Authorization header.'
        : 'The request has no signature. Sign it with the SES credentials of an API key.',
    );
  }
  const authorization = parseAuthorization(headers.authorization);
  if (authorization === null) {
    const message = 'Authorization must be a signature by AWS4-HMAC-SHA256 (Signature Version 4).';
    throw new SignatureRefusal('incomplete', message);
  }
  if (!SERVICES.includes(authorization.service)) {
    const message = `The signature must be for the service ses, not ${authorization.service}.`;
    throw new SignatureRefusal('incomplete', message);
  }
  const { 'x-amz-date': amzDate } = headers;
  const lacking = REQUIRED.find((name) => !authorization.signedHeaders.includes(name));
  if (typeof amzDate !== 'string' || lacking !== undefined) {
    const message = `The signature must cover the headers ${REQUIRED.join(' and ')}.`;
    throw new SignatureRefusal('incomplete', message);
  }
  return { authorization, amzDate };
}

/** Returns the values of each header in order; Node joins those of a repeated one in its own way. */
function headersByName({ raw: { rawHeaders } }: FastifyRequest): Map<string, string[]> {
  const named = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    named.set(name, [...(named.get(name) ?? []), rawHeaders[at + 1] ?? '']);
  }
  return named;
}
