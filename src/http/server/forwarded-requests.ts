// Requests that another route of this process hands over with their parsed body, through `app.inject`: they are read, checked
// and answered like any other.
import { randomUUID } from 'node:crypto';
import { Refusal } from '../../contract/refusal.js';
import type { Api } from '../api.js';

/** Names the hand-over; its value is known to nobody but this process, and good once. */
const HEADER = 'x-handed-over';
const JSON_TYPE = 'application/json';

export interface HandedOver {
  /** Undefined without a body. */
  body: unknown;
  /** Whether it counts in the rate limit by itself. */
  isCounted: boolean;
  /** The operation adds the ids of messages that it stores as suppressed: the public answer calls every message queued. */
  suppressed: Set<string>;
}

export interface HandOverRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  /** The address of the client. */
  from: string;
  body?: unknown;
  /** False for the first operation of a request from outside, which was counted there. */
  isCounted: boolean;
}

export interface HandOverAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** The octets of the answer. */
  octets: Buffer;
  /** Ids of the messages that were stored as suppressed. */
  suppressed: ReadonlySet<string>;
}

export type HandOver = (request: HandOverRequest) => Promise<HandOverAnswer>;

/** Must be called before the hook that counts requests is added. Handing over is refused with `unavailable` while the server closes. */
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

  const handOver: HandOver = async ({ method, url, headers, from, body, isCounted }) => {
    const ticket = randomUUID();
    const suppressed = new Set<string>();
    waiting.set(ticket, { body, isCounted, suppressed });
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
          // The parser of this type returns the body that is passed on.
          ...(body === undefined ? {} : { 'content-type': JSON_TYPE }),
        },
      });
      return { status: statusCode, headers: answered, octets: rawPayload, suppressed };
    } catch (error) {
      // fastify takes no more requests in while it closes
      if ((error as { code?: unknown }).code === 'FST_ERR_REOPENED_CLOSE_SERVER')
        throw new Refusal('unavailable');
      throw error;
    } finally {
      waiting.delete(ticket);
    }
  };
  app.decorate('handOver', handOver);
}
