// posthorn admin plan
import type { Command } from 'commander';
import { adminPlan } from '../admin/plan.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print, table } from './terminal.js';

export function addAdminPlan(admin: Command, terminal: Terminal): void {
  admin
    .command('plan [name]')
    .description('show the plan of the organization, or put it on another one; in force at once')
    .option('--json', 'print JSON')
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
