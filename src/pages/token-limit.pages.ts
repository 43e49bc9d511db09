// The first hook of pages behind links. It limits requests per client before anything is read. If a signature proves a link, only
// invalid links count, because one address of a mail provider fetches the pictures of thousands.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../contract/refusal.js';
import type { Api } from '../http/api.js';
import { createClientLimit } from '../http/access/rate-limit.js';

/** Number of invalid links per client and minute. */
const INVALID_PER_MINUTE = 60;
/** Number of requests per client and minute for links that must be looked up. */
const OPENED_PER_MINUTE = 120;

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** For links that the signature verifies. Refuses with `rate_limited`. */
export function limitInvalidTokens(app: Api, isSigned: (params: Record<string, string>) => boolean): Hook {
  return limited(app, INVALID_PER_MINUTE, (request) => !isSigned(request.params as Record<string, string>));
}

/** For links that must be looked up. Refuses with `rate_limited`. */
export function limitOpened(app: Api): Hook {
  return limited(app, OPENED_PER_MINUTE, () => true);
}

function limited(app: Api, most: number, isCounted: (request: FastifyRequest) => boolean): Hook {
  const limit = createClientLimit(app, most);
  return async (request, reply) => {
    if (!isCounted(request)) return;
    const retryAfterSeconds = await limit(request);
    if (retryAfterSeconds === null) return;
    reply.header('Retry-After', String(retryAfterSeconds));
    throw new Refusal(
      'rate_limited',
      'Too many invalid links were opened from this IP address. Try again later.',
    );
  };
}
