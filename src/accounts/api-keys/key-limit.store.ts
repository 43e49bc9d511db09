// The change that refuses a plan when it makes more API keys than a workspace may have.
import { defineChange } from '../../database/change.js';
import { refuse, type Otherwise } from '../../database/refuse.js';

/** The workspace's row is held, so that two who count at once do so one after the other. */
const HOLD_WORKSPACE = 'UPDATE workspaces SET id = id WHERE id = ?';
const COUNT_API_KEYS = `SELECT COUNT(*) AS n FROM api_keys k JOIN environments e ON e.id = k.environment_id
  WHERE e.workspace_id = ? AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?)`;

interface KeyLimit {
  workspaceId: string;
  most: number;
  now: number;
  otherwise: Otherwise;
}

/** Refuses the plan when the workspace has more than `most` keys that work. Follows the change that makes a key. */
export const limitApiKeys = defineChange<KeyLimit>(
  'limit-api-keys',
  async ({ tx }, { workspaceId, most, now, otherwise }) => {
    await tx.run(HOLD_WORKSPACE, [workspaceId]);
    const [row] = await tx.run(COUNT_API_KEYS, [workspaceId, now]);
    if (Number(row?.['n'] ?? 0) > most) refuse(otherwise);
  },
);
