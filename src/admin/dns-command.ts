// posthorn admin dns
import type { Command } from 'commander';
import { adminDns } from '../admin/dns.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print, table } from './terminal.js';

export function addAdminDns(admin: Command, terminal: Terminal): void {
  admin
    .command('dns')
    .description("records to publish for the appliance's own domain, POSTHORN_PLATFORM_DOMAIN")
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const records = await adminDns(terminal.loadConfig().config);
      const text =
        records.length === 0
          ? 'POSTHORN_PLATFORM_DOMAIN is not set: the appliance has no domain of its own.'
          : table(records.map(({ host, type, value }) => [host, type, value]));
      print(terminal, options, { dns_records: records }, text);
    });
}
