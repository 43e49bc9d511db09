// ETag and If-Match (RFC 9110, sections 8.8.3 and 13.1.1): a change applies only to the version that the caller read. An
// object's tag is its `updated_at` in quotes.
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import { iso } from '../../contract/time.js';
import type { Api } from '../api.js';
import type { ChangeGuard } from '../../database/rows.js';

interface VersionedRow<Time extends number | null> {
  created_at: number;
  /** Null until the first change. */
  updated_at: Time;
}

/** Adds the ETag header to answers of `versioned` operations that show the object. */
export function registerEntityTags(app: Api): void {
  app.addHook('preSerialization', (request, reply, payload, done) => {
    if (request.routeOptions.config.versioned === true && reply.statusCode < 300) {
      const { updated_at: updatedAt } = payload as { updated_at?: string };
      if (updatedAt !== undefined) reply.header('ETag', `"${updatedAt}"`);
    }
    done(null, payload);
  });
}

/**
 * Returns the guard that If-Match adds to a change of the row. Refuses with `precondition_failed` if the header names another
 * version.
 */
export function readPrecondition<Time extends number | null>(
  { headers }: Pick<FastifyRequest, 'headers'>,
  row: VersionedRow<Time>,
): ChangeGuard<Time> {
  const given = headers['if-match'];
  if (given === undefined) return { where: {} };
  // Compressing proxies turn tags into weak ones.
  const tags = given.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (tags.includes('*')) return { where: {} };
  const updatedAt = iso(row.updated_at ?? row.created_at);
  if (!tags.includes(`"${updatedAt}"`)) {
    throw new Refusal('precondition_failed', undefined, { details: { updated_at: updatedAt } });
  }
  return { where: { updated_at: row.updated_at }, otherwise: { code: 'precondition_failed' } };
}
