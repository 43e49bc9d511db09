// Reloads the settings of sources and limits from the configuration file, and the rule data in config/, without a restart.
import { isDeepStrictEqual } from 'node:util';
import { DataProblems } from '../lib/config/index.js';
import { forgetShipped } from '../settings/shipped.js';
import { ConfigProblems } from '../settings/load.js';
import { SETTINGS, type Config, type SettingKey } from '../settings/settings.js';
import { invalidFields } from '../contract/refusal.js';
import type { OutboundApiContext, OutboundContext } from './context.js';
import type { Outbound } from './outbound.js';
import { readOutboundRules, type OutboundRules } from './route/outbound-rules.js';
import { ruleChanges, type RuleChange } from './route/rule-changes.js';

/** Settings that a reload applies. All others need a restart. */
const RELOADED = [
  'outbound',
  'sourceAddresses',
  'smarthost',
  'shaping',
  'destinationConnections',
] as const satisfies readonly SettingKey[];

/** Of config/. */
const RELOADED_FILES = ['providers', 'shaping', 'bounce-rules'] as const;

export interface ReloadReport {
  changes: RuleChange[];
  /** Warnings about valid settings that are probably unintended. */
  notes: readonly string[];
  /** Names of changed settings that take effect only after a restart. */
  needRestart: string[];
}

export interface Reload {
  /** Checks the files and returns the changes without applying them. Throws ReloadProblems. */
  check(): ReloadReport;
  /** Checks the files and applies the changes, if any. Throws ReloadProblems and changes nothing if a file has errors. */
  run(): Promise<ReloadReport>;
}

/** Errors in the files, one sentence each. */
export class ReloadProblems extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ReloadProblems';
    this.problems = problems;
  }
}

interface ReloadedParts {
  rules: OutboundRules;
  /** Reads the settings of this process again. Throws ConfigProblems. */
  readConfig: () => Config;
  outbound: Pick<Outbound, 'reload'>;
}

/** `config` is the one that the server was started with. */
export function createReload(
  { config, log }: Pick<OutboundContext, 'config' | 'log'>,
  { rules, readConfig, outbound }: ReloadedParts,
): Reload {
  /** `isKept`: the data that was read replaces the shipped data in memory. */
  function read(isKept: boolean): { next: OutboundRules; report: ReloadReport } {
    const restore = forgetShipped(RELOADED_FILES);
    try {
      const found = readConfig();
      const reloaded = Object.fromEntries(RELOADED.map((key) => [key, found[key]]));
      const next = readOutboundRules({ ...config, ...reloaded });
      const others = (Object.keys(SETTINGS) as SettingKey[]).filter((key) => !isReloaded(key));
      const needRestart = others.flatMap((key) =>
        isDeepStrictEqual(config[key], found[key]) ? [] : [SETTINGS[key].env],
      );
      if (!isKept) restore();
      return { next, report: { changes: ruleChanges(rules, next), notes: next.egress.notes, needRestart } };
    } catch (error) {
      restore();
      throw new ReloadProblems(fileProblems(error));
    }
  }

  return {
    check: () => read(false).report,
    async run() {
      const { next, report } = read(true);
      for (const note of report.notes) log.warn(note);
      if (report.changes.length > 0) await outbound.reload(next);
      log.info({ changes: report.changes, need_restart: report.needRestart }, 'outbound rules reloaded');
      return report;
    },
  };
}

/** Checks the files, and reloads them unless it is a dry run. Refused with a 422 that names each mistake. */
export async function reloadOnRequest(
  { store, reload }: Pick<OutboundApiContext, 'store' | 'reload'>,
  isDryRun: boolean,
): Promise<ReloadReport> {
  try {
    const found = reload().check();
    if (isDryRun) return found;
    // The request's entry in the audit log is written with a commit, and nothing else is written here.
    await store.commit([]);
    return await reload().run();
  } catch (error) {
    if (!(error instanceof ReloadProblems)) throw error;
    throw invalidFields(error.problems.map((message) => ({ path: '', message })));
  }
}

function isReloaded(key: SettingKey): boolean {
  return RELOADED.some((reloaded) => reloaded === key);
}

/** Returns the errors in files. Throws any other error. */
function fileProblems(error: unknown): readonly string[] {
  if (error instanceof ConfigProblems || error instanceof DataProblems) return error.problems;
  // A file in config/ is not JSON or cannot be read. Its text may be shown because it holds no secrets.
  if (error instanceof SyntaxError) {
    const isPattern = error.message.startsWith('Invalid regular expression');
    const what = isPattern ? 'Invalid pattern in config/' : 'Invalid JSON in config/';
    return [`${what}: ${error.message}`];
  }
  if (error instanceof Error && 'code' in error) return [`Can't read a file in config/: ${error.message}`];
  throw error;
}
