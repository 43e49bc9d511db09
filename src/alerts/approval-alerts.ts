// Notifies approvers of live messages that wait for approval. Each notice covers all waiting messages of a workspace, and the next
// one follows after ten minutes at the earliest.
import { isApprover } from '../accounts/people/role.rules.js';
import { Refusal } from '../contract/refusal.js';
import type { Change } from '../database/change.js';
import { insert, update } from '../database/rows.js';
import { type Clock, newId } from '../lib/runtime/index.js';
import { approvals } from '../messages/approvals/approvals.tables.js';
import type { UnannouncedApprovals } from '../messages/approvals/approvals.store.js';
import { type AlertIncident, alertIncidents, alertNotices } from './alerts.tables.js';
import type { AlertStores } from './stores.js';
import { chosenWays, newNotice } from './watch.js';

const SOURCE = 'approvals';
const INTERVAL_MS = 10 * 60_000;
/** Another node has announced them. */
const TAKEN = { code: 'conflict' } as const;

interface ApprovalAlerts {
  store: Pick<AlertStores, 'alerts' | 'approvals' | 'commit'>;
  clock: Clock;
}

export async function announceApprovals({ store, clock }: ApprovalAlerts): Promise<void> {
  const now = clock();
  for (const waiting of await store.approvals.unannounced()) {
    const last = await store.alerts.lastOpenedAt(SOURCE, pathOf(waiting));
    if (last !== null && now - last < INTERVAL_MS) continue;
    const members = await store.alerts.members(waiting.organizationId);
    const incident = incidentOf(waiting, now);
    const told = members
      .filter(({ role, can_approve }) => isApprover(role, can_approve === 1))
      .flatMap((member) =>
        chosenWays(member, 'approval_requested').map((way) => ({ user_id: member.user_id, way })),
      );
    const notices = told.map(({ user_id, way }): Change =>
      insert(alertNotices, {
        row: newNotice({ incident_id: incident.id, user_id, way, stage: 'opened' }, now),
      }),
    );
    try {
      await store.commit([
        update(approvals, {
          set: { announced_at: now },
          where: { environment_id: waiting.environmentId, status: 'pending', announced_at: null },
          otherwise: TAKEN,
        }),
        ...(notices.length > 0 ? [insert(alertIncidents, { row: incident }), ...notices] : []),
      ]);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === TAKEN.code)) throw error;
    }
  }
}

/** Returns a closed incident, because no one needs to hear that the messages were decided. */
function incidentOf(waiting: UnannouncedApprovals, now: number): AlertIncident {
  const { count, workspaceName, organizationId } = waiting;
  const id = newId('inc', now);
  return {
    ...{ id, source: SOURCE, alert: 'approval_requested', subject: id, organization_id: organizationId },
    path: pathOf(waiting),
    title: count === 1 ? 'A message is waiting for approval' : `${count} messages are waiting for approval`,
    detail: `Workspace: ${workspaceName}.`,
    ...{ is_urgent: 0, opened_at: now, gone_since: now, closed_at: now, announced: 2 },
  };
}

function pathOf({ workspaceId }: UnannouncedApprovals): string {
  return `/${workspaceId}/live/approvals`;
}
