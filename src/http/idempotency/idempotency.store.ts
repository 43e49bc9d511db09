// Stores answers to requests with an Idempotency-Key, so that a repeated request gets the first answer without another change.
// The claim of a key is written by a commit hook in the transaction of the request's first change.
import { Refusal } from '../../contract/refusal.js';
import type { CommitHooks } from '../../lib/concurrency/index.js';
import type { Committer, AttachedWrite, Writing } from '../../database/committer.js';
import type { Engine } from '../../database/engine/engine.js';
import { rowsAs } from '../../database/sql.js';
import type { IdempotentRequest } from './idempotency.tables.js';

/** Key and fingerprint of a request with an Idempotency-Key. */
export interface RequestClaim {
  /** Namespace of the key: an environment or an organization, a sub-tenant, and the operation. */
  place: string;
  key: string;
  /** Request id; that of the first request if this one resumes interrupted work. */
  id: string;
  fingerprint: Buffer;
  at: number;
  /** True once a change of the request is on disk. */
  isKept: boolean;
}

interface KeptAnswer {
  status: number;
  /** Encrypted. */
  answer: string;
}

const FIND = 'SELECT * FROM idempotent_requests WHERE place = ? AND key = ?';
// Completes the row of the same request, replaces an expired row, and leaves the row of another request.
const KEEP = `INSERT INTO idempotent_requests (place, key, id, fingerprint, made_id, status, answer, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (place, key) DO UPDATE SET id = excluded.id, fingerprint = excluded.fingerprint,
    made_id = CASE WHEN idempotent_requests.id = excluded.id THEN COALESCE(idempotent_requests.made_id, excluded.made_id)
      ELSE excluded.made_id END,
    status = excluded.status, answer = excluded.answer,
    created_at = CASE WHEN idempotent_requests.id = excluded.id THEN idempotent_requests.created_at
      ELSE excluded.created_at END
  WHERE idempotent_requests.id = excluded.id OR idempotent_requests.created_at < ? RETURNING id`;
const PRUNE = `DELETE FROM idempotent_requests WHERE (place, key) IN
  (SELECT place, key FROM idempotent_requests WHERE created_at < ? ORDER BY created_at LIMIT ?) RETURNING 1 AS one`;

/** Returns the committer's hook for the current request's unwritten claim. */
export function claimHook(hooks: CommitHooks<RequestClaim>, lifetimeMs: number): () => AttachedWrite | null {
  return () => {
    const hook = hooks.pending();
    if (hook === null) return null;
    const { payload: claim } = hook;
    return {
      write: async (writing, made) => {
        const isOurs = await write(writing, claim, { made, kept: null, lifetimeMs });
        if (!isOurs) throw new Refusal('idempotency_key_in_use');
      },
      committed: () => {
        claim.isKept = true;
        hook.committed();
      },
    };
  };
}

async function write(
  { tx }: Writing,
  { place, key, id, fingerprint, at }: RequestClaim,
  { made, kept, lifetimeMs }: { made: string | null; kept: KeptAnswer | null; lifetimeMs: number },
): Promise<boolean> {
  const values = [place, key, id, fingerprint, made, kept?.status ?? null, kept?.answer ?? null, at];
  return (await tx.run(KEEP, [...values, at - lifetimeMs])).length > 0;
}

export function createIdempotencyStore(
  engine: Engine,
  committer: Committer,
  { hooks, lifetimeMs }: { hooks: CommitHooks<RequestClaim>; lifetimeMs: number },
) {
  return {
    /** Scope of a request, whose first commit writes the claim. */
    hooks,
    lifetimeMs,

    /** Finds a use of the key since `after` (epoch ms); null if there is none. */
    async find(place: string, key: string, after: number): Promise<IdempotentRequest | null> {
      const [row] = await rowsAs<IdempotentRequest>(engine.rows(FIND, [place, key]));
      return row === undefined || row.created_at < after ? null : row;
    },

    /** Resolves when the first request is where its answer promised it to be. */
    secured: () => committer.secured(),

    /** Stores the answer for repeated requests. The write runs alone, without commit hooks. */
    keepAnswer: (claim: RequestClaim, kept: KeptAnswer): Promise<boolean> =>
      committer.commitAlone((writing) => write(writing, claim, { made: null, kept, lifetimeMs })),

    /** Deletes up to `limit` of the oldest rows from before `before` (epoch ms). Returns their number. */
    prune: (before: number, limit: number): Promise<number> =>
      committer.commitAlone(async ({ tx }) => (await tx.run(PRUNE, [before, limit])).length),
  };
}
