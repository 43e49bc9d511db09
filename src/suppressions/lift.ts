// Takes an address off the suppression list.
import type { Plan } from '../store/plan.js';
import type { Suppression } from './suppressions.tables.js';

/**
 * The row goes, and its owner's contact is active again, whichever reason the row has: it is the only thing that keeps all mail
 * from a contact that is shown as unsubscribed. Refused with `not_found` when the row is gone.
 */
export function planLift(row: Suppression, now: number): Plan {
  const gone: Plan[number] = {
    kind: 'delete',
    from: 'suppressions',
    where: { id: row.id },
    at: now,
    otherwise: { code: 'not_found' },
  };
  return [
    gone,
    {
      kind: 'set-contact-status',
      environmentId: row.environment_id,
      subTenantId: row.sub_tenant_key === '' ? null : row.sub_tenant_key,
      emailKey: row.email_key,
      from: ['unsubscribed', 'bounced', 'complained'],
      to: 'active',
      at: now,
    },
  ];
}
