// Plans a new workspace: its row, two environments, and event chain.
import type { Mode } from '../contract/names.js';
import { CHAIN_START } from '../events/chain.rules.js';
import type { Change } from '../database/change.js';
import { environments, workspaces } from './accounts.tables.js';
import { insert } from '../database/rows.js';
import { chains } from '../events/events.tables.js';

/** Highest number that an event position has room for. Mailkeel's own workspace has it. */
export const LAST_WORKSPACE_NUMBER = 2 ** 17 - 1;

interface NewWorkspace {
  id: string;
  /** The high part of its event positions, unique to the workspace. */
  number: number;
  organizationId: string;
  name: string;
  retentionDays?: number | null;
  retentionMode?: 'redact' | 'delete' | null;
}

/**
 * Returns the row ID of a workspace's environment. It is derived and not generated, so that one plan can create the workspace,
 * its environments and their keys. Everything that creates workspaces must use it.
 */
export function environmentRowId(workspaceNumber: number, mode: Mode): number {
  return 2 * workspaceNumber - (mode === 'live' ? 1 : 0);
}

/** Returns the mode of an environment by its row ID. */
export function environmentMode(rowId: number): Mode {
  return rowId % 2 === 1 ? 'live' : 'test';
}

/** Refused with `conflict` if the number is taken. */
export function planWorkspace(workspace: NewWorkspace, now: number): Change[] {
  const { id, number, organizationId, name, retentionDays = null, retentionMode = null } = workspace;
  const environmentOf = (mode: Mode): Change =>
    insert(environments, { row: { id: environmentRowId(number, mode), workspace_id: id, mode } });
  return [
    insert(workspaces, {
      row: {
        id,
        number,
        organization_id: organizationId,
        name,
        retention_days: retentionDays,
        retention_mode: retentionMode,
        created_at: now,
      },
      conflict: { code: 'conflict', message: `A workspace with number ${number} already exists.` },
    }),
    environmentOf('live'),
    environmentOf('test'),
    insert(chains, {
      row: { workspace_number: number, head_seq: 0, head_hash: CHAIN_START, fanned_out_seq: 0 },
    }),
  ];
}
