// Limits the request bodies in memory, in total and per caller, so that many simultaneous large bodies are refused rather than
// held. A body counts from its first octet until its response or its connection ends.
import type { preParsingHookHandler } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import type { Api } from '../api.js';

/** Share of the total that one caller may hold. */
const CALLER_SHARE = 0.5;

/** The counted octets of one request. */
export interface BodyHold {
  /** Counts received octets. Returns false, and counts nothing, if the limit would be exceeded. */
  take(octets: number): boolean;
  /** Whether this many octets would fit now. A lone body always fits. */
  fits(octets: number): boolean;
  /** Releases all octets of the request. Later calls do nothing. */
  release(): void;
}

interface BodiesInFlight {
  open(caller: string): BodyHold;
  /** Octets in memory now. */
  held(): number;
}

export function createBodiesInFlight(limitOctets: number): BodiesInFlight {
  const callerLimit = limitOctets * CALLER_SHARE;
  const byCaller = new Map<string, number>();
  let total = 0;
  return {
    held: () => total,
    open(caller) {
      let own = 0;
      let isOpen = true;
      const fits = (octets: number): boolean => {
        const ofCaller = byCaller.get(caller) ?? 0;
        const hasRoom = (held: number, limit: number): boolean => held === own || held + octets <= limit;
        return hasRoom(total, limitOctets) && hasRoom(ofCaller, callerLimit);
      };
      return {
        fits,
        take(octets) {
          if (!isOpen || !fits(octets)) return false;
          own += octets;
          total += octets;
          byCaller.set(caller, (byCaller.get(caller) ?? 0) + octets);
          return true;
        },
        release() {
          if (!isOpen) return;
          isOpen = false;
          total -= own;
          const left = (byCaller.get(caller) ?? 0) - own;
          if (left > 0) byCaller.set(caller, left);
          else byCaller.delete(caller);
        },
      };
    },
  };
}

export function tooManyBodies(): Refusal {
  return new Refusal(
    'unavailable',
    'The server is receiving too many large requests. Nothing was stored. Retry in a moment.',
  );
}

/**
 * Sets up counting for each request with a body, before the body is read. Needs `request.caller` on routes that require
 * authentication.
 */
export function registerBodiesInFlight(app: Api, bodies: BodiesInFlight): void {
  app.decorateRequest('bodyHold', null);
  const openHold: preParsingHookHandler = (request, reply, _payload, done) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (coding === undefined && (length === undefined || length === '0')) {
      done();
      return;
    }
    const isPublic = request.routeOptions.config.public === true;
    const hold = bodies.open(isPublic ? request.ip : request.caller.actor.id);
    if (length !== undefined && !hold.fits(Math.min(Number(length), request.routeOptions.bodyLimit))) {
      done(tooManyBodies());
      return;
    }
    request.bodyHold = hold;
    // Fires when the answer ends, and also when the connection breaks before that.
    reply.raw.once('close', () => hold.release());
    done();
  };
  app.addHook('preParsing', openHold);
  app.addHook('onResponse', (request, _reply, done) => {
    request.bodyHold?.release();
    done();
  });
}
