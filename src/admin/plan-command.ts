// `mailkeel admin plan`: shows or changes the organization's plan. config/plans.json defines the plans.
import type { Command } from 'commander';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';
import { Refusal } from '../contract/refusal.js';
import { compilePlans, sumSends, usageDays } from '../accounts/quota.rules.js';
import type { Clock } from '../lib/runtime/index.js';
import { readShipped } from '../settings/shipped.js';
import type { Config } from '../settings/settings.js';
import { auditInsert } from '../accounts/audit/audit.store.js';
import { withAppliance } from '../app/installation/open-appliance.js';
import { update } from '../database/rows.js';
import { organizations } from '../accounts/accounts.tables.js';

export function addAdminPlan(admin: Command, terminal: Terminal): void {
  admin
    .command('plan [name]')
    .description('Show or change the plan of the organization; changes apply immediately')
    .option('--json', 'Output JSON')
    .action(async (name: string | undefined, options: OutputOptions) => {
      const shown = await adminPlan(terminal.loadConfig().config, terminal.clock, name ?? null);
      const { organizationId, plan, plans, usedToday, usedThisMonth } = shown;
      const text = table([
        ['organization', organizationId],
        ['plan', plan],
        ['plans', plans.join(', ')],
        ['sent today', String(usedToday)],
        ['sent this month', String(usedThisMonth)],
      ]);
      const value = {
        organization_id: organizationId,
        plan,
        plans,
        used: { day: usedToday, month: usedThisMonth },
      };
      print(terminal, options, value, text);
    });
}

interface PlanState {
  organizationId: string;
  plan: string;
  /** Names of all plans. */
  plans: string[];
  usedToday: number;
  usedThisMonth: number;
}

/**
 * Returns the first organization's plan, which is changed first if `wanted` names one. Refuses with `not_found` without an
 * organization or such a plan.
 */
function adminPlan(config: Config, clock: Clock, wanted: string | null): Promise<PlanState> {
  const plans = [...compilePlans(readShipped('plans')).keys()];
  if (wanted !== null && !plans.includes(wanted)) {
    throw new Refusal('not_found', `Plan ${wanted} not found. Available plans: ${plans.join(', ')}.`);
  }
  return withAppliance(config, async ({ store }) => {
    const organization = await store.accounts.firstOrganization();
    if (!organization) {
      throw new Refusal('not_found', 'No organization exists yet. Run "mailkeel admin bootstrap" first.');
    }
    const { id } = organization;
    const now = clock();
    if (wanted !== null && wanted !== organization.plan) {
      await store.commit([
        update(organizations, { set: { plan: wanted, updated_at: now }, where: { id } }),
        auditInsert({
          at: now,
          organizationId: id,
          workspaceId: null,
          actor: { kind: 'operator', id: null },
          action: 'setPlan',
          targetId: id,
          detail: { fields: ['plan'], values: { plan: wanted } },
        }),
      ]);
    }
    const used = await store.usage.ofOrganization(id, usageDays(now));
    return {
      organizationId: id,
      plan: wanted ?? organization.plan,
      plans,
      usedToday: sumSends(used.day),
      usedThisMonth: sumSends(used.month),
    };
  });
}
