// Internal requests: a route calls another operation through `app.inject` with a parsed body, and the request is validated and
// answered like any other.
import { randomUUID } from 'node:crypto';
import { Refusal } from '../../contract/refusal.js';
import type { Api } from '../api.js';

/** Header with a one-time token, known to this process only, that identifies an internal request. */
const HEADER = 'x-handed-over';
const JSON_TYPE = 'application/json';

export interface HandedOver {
  /** The API key of the external request, whose rights the internal one has. */
  keyId: string;
  /** Undefined without a body. */
  body: unknown;
  /** Whether the request counts towards the rate limit. */
  isCounted: boolean;
  /** Ids of messages that the operation stores as suppressed, because the public answer reports every message as queued. */
  suppressed: Set<string>;
}

export interface HandOverRequest {
  keyId: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  /** Client address. */
  from: string;
  body?: unknown;
  /** False for the first operation of an external request, which was counted already. */
  isCounted: boolean;
}

interface HandOverAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** Body of the answer. */
  octets: Buffer;
  /** Ids of the messages that were stored as suppressed. */
  suppressed: ReadonlySet<string>;
}

export type HandOver = (request: HandOverRequest) => Promise<HandOverAnswer>;

/**
 * Must be called before the hook that counts requests is added. Internal requests are refused with `unavailable` while the
 * server closes.
 */
export function registerHandedOver(app: Api): void {
  const waiting = new Map<string, HandedOver>();
  app.decorateRequest('handedOver', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const ticket = request.headers[HEADER];
    if (typeof ticket === 'string') {
      request.handedOver = waiting.get(ticket) ?? null;
      waiting.delete(ticket);
    }
    done();
  });

  const handOver: HandOver = async ({ keyId, method, url, headers, from, body, isCounted }) => {
    const ticket = randomUUID();
    const suppressed = new Set<string>();
    waiting.set(ticket, { keyId, body, isCounted, suppressed });
    try {
      const {
        statusCode,
        headers: answered,
        rawPayload,
      } = await app.inject({
        method,
        url,
        remoteAddress: from,
        headers: {
          ...headers,
          [HEADER]: ticket,
          // The parser for this type returns the body that was passed on.
          ...(body === undefined ? {} : { 'content-type': JSON_TYPE }),
        },
      });
      return { status: statusCode, headers: answered, octets: rawPayload, suppressed };
    } catch (error) {
      // Fastify accepts no requests while it closes.
      if ((error as { code?: unknown }).code === 'FST_ERR_REOPENED_CLOSE_SERVER')
        throw new Refusal('unavailable');
      throw error;
    } finally {
      waiting.delete(ticket);
    }
  };
  app.decorate('handOver', handOver);
}
