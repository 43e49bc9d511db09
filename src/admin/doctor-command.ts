// `mailkeel doctor`: runs the preflight checks on this machine, with or without a server.
import type { Command } from 'commander';
import { EXIT } from './exit-code.js';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';
import { createResolver } from '../lib/dns/index.js';
import { createProbe } from '../lib/smtp/index.js';
import type { ExpectedRecord, UnnamedRecord } from '../domains/dns-records.rules.js';
import type { CheckResult } from '../operations/preflight/preflight.rules.js';
import { worstStatus, type CheckStatus } from '../contract/check-status.js';
import type { Clock } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import { certificateInUse } from '../operations/certificates/in-use.js';
import { growthNow } from '../operations/growth/growth.js';
import { runPreflight } from '../operations/preflight/preflight.js';
import { reportedDays, reportOrganization } from '../operations/preflight/preflight-reports.rules.js';
import { preflightSettings, usedEgress } from '../operations/preflight/settings.js';
import { platformRecords, platformSettings } from '../domains/platform.js';
import { certificateFiles } from '../app/installation/certificate-files.js';
import { withReadStoreIfThere } from '../app/installation/open-existing.js';
import { readOutboundRules } from '../outbound/route/outbound-rules.js';

const MARKS = { pass: 'ok', warn: 'WARN', fail: 'FAIL', unknown: '?' } as const;

export function addDoctor(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('Check whether this machine is ready to send mail (exit code 9 if not)')
    .option('--json', 'Output JSON')
    .action(async (options: OutputOptions) => {
      const { status, results } = await adminDoctor(terminal.loadConfig().config, terminal.clock);
      if (status === 'fail') terminal.exitCode = EXIT.checkFailed;
      const rows = table(results.map((r) => [MARKS[r.status], r.name, r.subject ?? '', r.observed]));
      const advice = results.flatMap((r) => {
        const isBad = r.status === 'fail' || r.status === 'warn';
        return isBad
          ? [`${r.name} ${r.subject ?? ''}`.trimEnd(), `  expected: ${r.expected}`, `  ${r.remedy ?? ''}`]
          : [];
      });
      const conclusion =
        status === 'fail'
          ? 'Some checks failed. This machine is not ready to send mail.'
          : 'This machine is ready to send mail.';
      print(terminal, options, { status, checks: results }, [rows, '', ...advice, conclusion].join('\n'));
    });
}

interface Diagnosis {
  status: CheckStatus;
  results: CheckResult[];
}

/** Creates nothing. Queries DNS and connects to a few mail servers within the time limit. */
async function adminDoctor(config: Config, clock: Clock): Promise<Diagnosis> {
  const records = await knownRecords(config);
  const resolver = createResolver({
    servers: config.dnsServers,
    timeoutMs: config.dnsTimeoutMs,
    tries: config.dnsTries,
    clock,
  });
  try {
    const results = await runPreflight({
      resolver,
      probe: createProbe({ resolver, clock }),
      settings: preflightSettings(config, usedEgress(readOutboundRules(config).egress)),
      clock,
      platformRecords: () => Promise.resolve(records),
      storeFacts: () => withReadStoreIfThere(config, (store) => store.size()),
      integrityFacts: () => withReadStoreIfThere(config, (store) => store.integrity()),
      reportFacts: () => {
        const organization = reportOrganization(config.bounceDomain);
        return withReadStoreIfThere(config, (store) =>
          store.reportFacts(reportedDays(clock()), organization),
        );
      },
      growthFacts: () => withReadStoreIfThere(config, (store) => growthNow(store, config, clock())),
      // A command is not a node.
      missingRoles: () => null,
      databaseServer: () => null,
      replica: () => null,
      suspendedSources: async () =>
        (await withReadStoreIfThere(config, (store) => store.traffic.suspendedSources())) ?? [],
      certificate: () => certificateInUse(config, certificateFiles(config), clock()),
    });
    return { status: worstStatus(results), results };
  } finally {
    resolver.close();
  }
}

/** Returns the platform domain's records; none before the first start has created its key. */
async function knownRecords(config: Config): Promise<(ExpectedRecord | UnnamedRecord)[]> {
  if (config.platformDomain === null) return [];
  const settings = platformSettings(config, [...readOutboundRules(config).egress.sources.values()]);
  return (await withReadStoreIfThere(config, (store) => platformRecords(store, settings))) ?? [];
}
