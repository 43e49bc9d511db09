// posthorn admin shaping
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import {
  adminShaping,
  checkShaping,
  type ShapingAnswer,
  type ShapingCheck,
  type ShownLimits,
} from '../admin/shaping.js';
import { MESSAGE_TYPES, type MessageType } from '../contract/names.js';
import { domainOf, domainProblem } from '../lib/mime/address.js';
import { EXIT } from './exit-code.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print, table } from './terminal.js';

interface ShapingOptions extends OutputOptions {
  domain?: string;
  mx?: string[];
  source?: string;
  tenant?: string;
  type?: MessageType;
  tag?: string;
  check?: true;
}

export function addAdminShaping(admin: Command, terminal: Terminal): void {
  admin
    .command('shaping')
    .description('show which way mail to a destination leaves and how fast, or check the rules')
    .option('--domain <domain>', 'of the recipient; asks the DNS for its mail hosts', recipientDomain)
    .option('--mx <hosts>', 'mail hosts, separated by commas, in place of asking', mailHosts)
    .option('--source <name>', 'this source only')
    .option('--tenant <id>', 'the sub-tenant, by its id or by your own')
    .addOption(new Option('--type <type>', 'kind of mail').choices(MESSAGE_TYPES))
    .option('--tag <tag>', 'a tag of the message')
    .option('--check', 'check the shipped rules and your own; exit code 9 when they hold mistakes')
    .option('--json', 'print JSON')
    .action(async ({ check, json, mx, ...question }: ShapingOptions) => {
      const { config } = terminal.loadConfig();
      const output: OutputOptions = json === undefined ? {} : { json };
      if (check === true) {
        const result = checkShaping(config);
        if (!result.ok) terminal.exitCode = EXIT.checkFailed;
        print(terminal, output, result, checkInWords(result));
        return;
      }
      const answer = await adminShaping(config, { ...question, ...(mx ? { mxHosts: mx } : {}) });
      print(terminal, output, answer, inWords(answer));
    });
}

/** In the form that routes and mail go by. */
function recipientDomain(text: string): string {
  const problem = domainProblem(text);
  if (problem !== null) throw new InvalidArgumentError(problem);
  return domainOf(`postmaster@${text}`);
}

function mailHosts(text: string): string[] {
  const hosts = text.split(',').map((host) => host.trim());
  if (hosts.includes('')) throw new InvalidArgumentError('A host name is empty.');
  return hosts;
}

function checkInWords({ ok, problems, notes, automation_rules, sources }: ShapingCheck): string {
  if (!ok) return problems.join('\n');
  const found = `${automation_rules} automation rules; sources: ${sources.join(', ')}`;
  return ['No mistakes.', found, ...notes].join('\n');
}

function inWords(answer: ShapingAnswer): string {
  const hosts = answer.mx_hosts.length === 0 ? 'any' : answer.mx_hosts.join(', ');
  const head: [string, string][] = [
    ['mail hosts', answer.no_route ?? hosts],
    ['provider', answer.provider ?? 'none'],
    ['network', answer.network],
    ['decided by', answer.decided_by],
    ['overflow', answer.overflow ?? 'waits'],
  ];
  const ways = answer.egress.flatMap(({ via, paths }, i) => [
    '',
    `${i + 1}. ${via}`,
    ...paths.map(({ source, share, address4, address6, ehlo_name, limits }) => {
      const addresses = [address4, address6].filter((address) => address !== null).join(' and ');
      const as = ehlo_name === null ? '' : ` from ${addresses || 'the system’s choice'} as ${ehlo_name}`;
      return `   ${source} (${share} %)${as}\n${limitsInWords(limits)}`;
    }),
  ]);
  const rules = answer.automation.map(({ name, trigger, action }) => [name, trigger, action]);
  return [table(head), ...ways, '', table([['rule', 'trigger', 'action'], ...rules])].join('\n');
}

function limitsInWords({ from, ...limits }: ShownLimits): string {
  const rows = Object.entries(limits).map(([name, value]) => [`     ${name}`, String(value ?? 'no limit')]);
  return table([...rows, ['     from', from.join(', ')]]);
}
