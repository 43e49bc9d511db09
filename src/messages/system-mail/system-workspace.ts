// The server's own workspace, from which it sends system mail. It has no API key, so no one who requests a confirmation can read
// the mail with its link.
import { CHAIN_START } from '../../events/chain.rules.js';
import type { EnvironmentRef } from '../../accounts/accounts.store.js';
import type { MessageStores } from '../stores.js';
import type { Plan } from '../../database/change.js';
import { organizations, workspaces, environments } from '../../accounts/accounts.tables.js';
import { insert } from '../../database/rows.js';
import { chains } from '../../events/events.tables.js';

const ORGANIZATION_ID = 'org_system';
const WORKSPACE_ID = 'ws_system';
/** The highest number that an event position can represent (2^53 / 2^36), so that it follows all customers' workspaces. */
const WORKSPACE_NUMBER = 2 ** 17 - 1;
/** Follows the numbering rule for every workspace's environments. */
const ENVIRONMENT_IDS = { live: 2 * WORKSPACE_NUMBER - 1, test: 2 * WORKSPACE_NUMBER } as const;

/** System mail comes from the platform's domain, which is not a customer's sender. */
export function isSystemWorkspace(workspaceId: string): boolean {
  return workspaceId === WORKSPACE_ID;
}

/** Returns the live environment of the server's own workspace, and creates it if missing. */
export async function systemEnvironment(
  store: Pick<MessageStores, 'accounts' | 'commitAlone'>,
  now: number,
): Promise<EnvironmentRef> {
  const known = (await store.accounts.environments()).some((row) => row.workspaceId === WORKSPACE_ID);
  if (!known) await store.commitAlone(systemPlan(now));
  return store.accounts.environmentOf(WORKSPACE_ID, 'live');
}

/** Every row has a fixed key, so a second process that creates it at the same time changes nothing. */
function systemPlan(now: number): Plan {
  return [
    insert(organizations, {
      row: {
        id: ORGANIZATION_ID,
        name: 'This appliance',
        postal_address: null,
        plan: 'unlimited',
        unsubscribe_blocks: 'all',
        track_opens: 0,
        track_clicks: 0,
        created_at: now,
        updated_at: now,
      },
      conflict: 'ignore',
    }),
    insert(workspaces, {
      row: {
        id: WORKSPACE_ID,
        number: WORKSPACE_NUMBER,
        organization_id: ORGANIZATION_ID,
        name: 'System',
        created_at: now,
      },
      conflict: 'ignore',
    }),
    ...(['live', 'test'] as const).map((mode) =>
      insert(environments, {
        row: { id: ENVIRONMENT_IDS[mode], workspace_id: WORKSPACE_ID, mode },
        conflict: 'ignore',
      }),
    ),
    insert(chains, {
      row: { workspace_number: WORKSPACE_NUMBER, head_seq: 0, head_hash: CHAIN_START, fanned_out_seq: 0 },
      conflict: 'ignore',
    }),
  ];
}
