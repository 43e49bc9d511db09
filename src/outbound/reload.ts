// Reads the files of outgoing mail again, while it runs: the configuration file for what of it the egress and the limits are
// made of, and the rule data in config/.
import { isDeepStrictEqual } from 'node:util';
import { DataProblems } from '../lib/config/operator-data.rules.js';
import { forgetShipped } from '../settings/shipped.js';
import { ConfigProblems } from '../settings/load.js';
import { SETTINGS, type Config, type SettingKey } from '../settings/settings.js';
import { invalidFields } from '../contract/refusal.js';
import type { OutboundApiContext, OutboundContext } from './context.js';
import type { Outbound } from './outbound.js';
import { readOutboundRules, type OutboundRules } from './route/outbound-rules.js';
import { ruleChanges, type RuleChange } from './route/rule-changes.js';

/** Settings that are read again; all others need a restart. */
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
  /** Warnings about what is allowed and was probably not meant. */
  notes: readonly string[];
  /** Names of settings that differ from those in use, and are not read again. */
  needRestart: string[];
}

export interface Reload {
  /** Checks the files, and says what would change. Throws ReloadProblems. */
  check(): ReloadReport;
  /** The same, and goes on by them. A broken file changes nothing. Does nothing where nothing changes. */
  run(): Promise<ReloadReport>;
}

/** Everything that is wrong with the files, one sentence each. */
export class ReloadProblems extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ReloadProblems';
    this.problems = problems;
  }
}

export interface ReloadedParts {
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
  /** `isKept`: what was read is what others read from now on. */
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
      throw new ReloadProblems(problemsOf(error));
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

/** Throws what is no mistake in a file. */
function problemsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigProblems || error instanceof DataProblems) return error.problems;
  // The shipped data in config/, which holds no secrets: a file that is no JSON, or cannot be read.
  if (error instanceof SyntaxError) {
    const isPattern = error.message.startsWith('Invalid regular expression');
    const what = isPattern ? 'Invalid pattern in config/' : 'Invalid JSON in config/';
    return [`${what}: ${error.message}`];
  }
  if (error instanceof Error && 'code' in error) return [`Can't read a file in config/: ${error.message}`];
  throw error;
}
