// Limits the number of a workspace's API keys.
import type { TablesOf } from '../../database/columns.js';
import { defineChange } from '../../database/change.js';
import type { environments, workspaces } from '../accounts.tables.js';
import type { apiKeys } from './api-keys.tables.js';
import { refuse, type Otherwise } from '../../database/refuse.js';

type Known = TablesOf<typeof apiKeys | typeof environments | typeof workspaces>;

interface KeyLimit {
  workspaceId: string;
  most: number;
  now: number;
  otherwise: Otherwise;
}

/** Refuses the plan if the workspace has more than `most` working keys. Follows the change that creates a key. */
export const limitApiKeys = defineChange<KeyLimit>(
  'limit-api-keys',
  async ({ tx }, { workspaceId, most, now, otherwise }) => {
    const db = tx.db.$extendTables<Known>();
    // Locks the workspace's row, so that simultaneous plans count one after another.
    await db
      .updateTable('workspaces')
      .set((eb) => ({ id: eb.ref('id') }))
      .where('id', '=', workspaceId)
      .execute();
    const { n } = await db
      .selectFrom('api_keys as k')
      .innerJoin('environments as e', 'e.id', 'k.environment_id')
      .select((eb) => eb.fn.countAll().as('n'))
      .where('e.workspace_id', '=', workspaceId)
      .where('k.revoked_at', 'is', null)
      .where((eb) => eb.or([eb('k.expires_at', 'is', null), eb('k.expires_at', '>', now)]))
      .executeTakeFirstOrThrow();
    if (Number(n) > most) refuse(otherwise);
  },
);
