// Takes an address off the suppression list.
import type { Plan } from '../../store/plan.js';
import type { Suppression } from '../../store/suppressions.js';

const STATUS_OF = { bounce: 'bounced', complaint: 'complained', unsubscribe: 'unsubscribed' } as const;

/**
 * The row goes, and with it the status that it gave to the contact: else marketing mail would still be kept from the
 * address, by a reason that no list shows. Refused with `not_found` when the row is gone.
 */
export function planLift(row: Suppression, now: number): Plan {
  const gone: Plan[number] = {
    kind: 'delete',
    from: 'suppressions',
    where: { id: row.id },
    otherwise: { code: 'not_found' },
  };
  if (row.reason === 'manual') return [gone];
  return [
    gone,
    {
      kind: 'set-contact-status',
      environmentId: row.environment_id,
      subTenantId: row.sub_tenant_key === '' ? null : row.sub_tenant_key,
      emailKey: row.email_key,
      from: [STATUS_OF[row.reason]],
      to: 'active',
      at: now,
    },
  ];
}
