// Reads of connected applications, and the deletion of ended rows.
import type { TablesOf } from '../../database/columns.js';
import type { Committer } from '../../database/committer.js';
import type { Engine } from '../../database/engine/engine.js';
import type { apiKeys } from '../api-keys/api-keys.tables.js';
import type {
  OauthCode,
  oauthClients,
  oauthCodes,
  OauthToken,
  oauthTokens,
  RegisteredClient,
} from './oauth.tables.js';

type Known = TablesOf<typeof apiKeys | typeof oauthClients | typeof oauthCodes | typeof oauthTokens>;

const ended = (table: string, id: string): string =>
  `DELETE FROM ${table} WHERE ${id} IN (SELECT ${id} FROM ${table} WHERE expires_at <= ? ORDER BY expires_at
    LIMIT ?) RETURNING ${id}`;

export function createOauthStore(engine: Engine, committer: Committer) {
  const db = engine.read.$extendTables<Known>();
  const forget =
    (statement: string) =>
    (before: number, limit: number): Promise<number> =>
      committer.commit(async ({ tx }) => (await tx.run(statement, [before, limit])).length);

  return {
    async client(id: string): Promise<RegisteredClient | null> {
      const query = db.selectFrom('oauth_clients').selectAll().where('id', '=', id);
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Counts clients that a network has registered, up to `most`. */
    async clientsOfNetwork(network: string, most: number): Promise<number> {
      const query = db.selectFrom('oauth_clients').select('id').where('network', '=', network).limit(most);
      return (await query.execute()).length;
    },

    /** Reads the ID of the client that ends first, if there are at least `count`; null otherwise. */
    async firstClientToEnd(count: number): Promise<string | null> {
      const { many } = await db
        .selectFrom('oauth_clients')
        .select((eb) => eb.fn.countAll().as('many'))
        .executeTakeFirstOrThrow();
      if (Number(many) < count) return null;
      const query = db.selectFrom('oauth_clients').select('id').orderBy('expires_at').limit(1);
      return (await query.executeTakeFirst())?.id ?? null;
    },

    async code(codeHash: Uint8Array): Promise<OauthCode | null> {
      const query = db.selectFrom('oauth_codes').selectAll().where('code_hash', '=', codeHash);
      return (await query.executeTakeFirst()) ?? null;
    },

    async token(tokenHash: Uint8Array): Promise<OauthToken | null> {
      const query = db.selectFrom('oauth_tokens').selectAll().where('token_hash', '=', tokenHash);
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Reads up to `limit` grants without valid tokens. */
    async endedGrants(now: number, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('api_keys as k')
        .select('k.id')
        .where('k.oauth_client_id', 'is not', null)
        .where('k.revoked_at', 'is', null)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('oauth_tokens as t')
                .select('t.api_key_id')
                .whereRef('t.api_key_id', '=', 'k.id')
                .where('t.is_used', '=', 0)
                .where('t.expires_at', '>', now),
            ),
          ),
        )
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Each deletes up to `limit` rows that ended at or before a time, and returns their number. */
    forgetEnded: {
      clients: forget(ended('oauth_clients', 'id')),
      codes: forget(ended('oauth_codes', 'code_hash')),
      tokens: forget(ended('oauth_tokens', 'token_hash')),
    },
  };
}
