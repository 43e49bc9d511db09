// Runs the reads of requests that only read in the store's reader threads, each with a time budget, so that no list, sum or
// download delays mail or other requests.
import type { FastifyRequest } from 'fastify';
import { readAs, type Reading } from '../../database/engine/reading.js';
import type { HttpStores } from '../stores.js';
import type { Api } from '../api.js';

/** Time (ms) that all statements of one request may take, including waiting. */
const BUDGET_MS = 10_000;
const READING_METHODS: readonly string[] = ['GET', 'HEAD'];

/** Must be called after the hook that sets `request.caller` was added and before the routes are declared. */
export function registerReading(app: Api, { store }: { store: Pick<HttpStores, 'readings'> }): void {
  const { readings } = store;
  app.decorateRequest('reading', null);
  if (readings === null) return;

  app.addHook('preHandler', (request, reply, done) => {
    if (!isRead(request)) {
      done();
      return;
    }
    const { reading: kind } = request.routeOptions.config;
    const reading = readings.open(request.caller.actor.id, kind === 'file' ? null : BUDGET_MS);
    request.reading = reading;
    // If the client disconnects, the answer never finishes.
    reply.raw.once('close', () => reading.end());
    reading.run(done);
  });
  app.addHook('onResponse', (request, _reply, done) => {
    request.reading?.end();
    done();
  });
}

/** Yields the pieces of a file that is read while it is sent, at the client's pace. */
export function readPieces<T>(
  { reading }: { reading: Reading | null },
  pieces: AsyncIterable<T>,
): AsyncIterable<T> {
  return reading?.pieces(pieces) ?? pieces;
}

/** Runs one read of a long operation with the budget of a request. */
export function readOnce<T>(
  { readings }: Pick<HttpStores, 'readings'>,
  owner: string,
  work: () => Promise<T>,
): Promise<T> {
  return readAs(readings, { owner, budgetMs: BUDGET_MS }, work);
}

function isRead({ method, routeOptions }: FastifyRequest): boolean {
  const { public: isPublic, reading } = routeOptions.config;
  if (isPublic === true || reading === 'stream') return false;
  return reading !== undefined || READING_METHODS.includes(method);
}
