// Automation rules: changes of a path after a peer's reply, as data, each with its trigger, its action and its duration.
import { REPLY_PHASES, type PeerReply, type ReplyPhase } from '../outcome/bounce-class.rules.js';
import { cleanReplyText } from '../../lib/smtp-replies/index.js';
import type { RateLimit } from '../../lib/rate-limits/index.js';
import { compileSafePattern, patternProblem } from '../../lib/patterns/index.js';
import type { DataReader, Fields } from '../../lib/config/index.js';

const MAX_RULES = 500;
const MAX_COUNT = 1000;
const RULE_KEYS = [
  'name',
  'provider',
  'providers',
  'phases',
  'code',
  'pattern',
  'unless',
  'trigger',
  'action',
];

const AUTOMATION_ACTIONS = [
  'suspend',
  'suspend_tenant',
  'connections',
  'rate',
  'messages_per_connection',
] as const;
export type AutomationActionKind = (typeof AUTOMATION_ACTIONS)[number];

/** `suspend` stops all mail on the path. `suspend_tenant` stops only the mail of the message's tenant. */
export type AutomationAction =
  | { kind: 'suspend' | 'suspend_tenant'; forMs: number }
  | { kind: 'connections' | 'messages_per_connection'; limit: number; forMs: number }
  | { kind: 'rate'; rate: RateLimit; forMs: number };

export interface AutomationRule {
  name: string;
  /** `null` applies to every peer. */
  providers: readonly string[] | null;
  phases: readonly ReplyPhase[] | null;
  /** Beginning of the basic code: `4`, `42`, `421`; empty: any refusal. */
  code: string;
  pattern: RegExp;
  /** Replies that match this text do not match the rule. */
  unless: RegExp | null;
  /** Fires at the `count`th matching reply within `withinMs`. With a count of 1, fires immediately. */
  trigger: { count: number; withinMs: number };
  action: AutomationAction;
}

/** Times of the latest `count` replies that matched a rule, per rule, path and, for `suspend_tenant`, tenant. */
export interface TriggerCounts {
  readonly at: readonly number[];
}

function isFor(rule: AutomationRule, reply: PeerReply, text: string): boolean {
  if (rule.providers && !rule.providers.includes(reply.provider ?? '')) return false;
  if (rule.phases && !rule.phases.includes(reply.phase)) return false;
  if (!String(reply.code).startsWith(rule.code)) return false;
  return rule.pattern.test(text) && rule.unless?.test(text) !== true;
}

/**
 * Returns the rules that a refusal matches, at most one for each kind of action. The first in the list wins, so an operator's rule
 * precedes the shipped one. Empty for a success and without a reply.
 */
export function automationFor(
  automation: { readonly automation: readonly AutomationRule[] },
  reply: PeerReply,
): AutomationRule[] {
  if (reply.code === null || reply.code < 400) return [];
  const said = cleanReplyText(reply.text);
  const { enhanced } = reply;
  const text = enhanced === null || said.startsWith(enhanced) ? said : `${enhanced} ${said}`;
  const found = new Map<AutomationActionKind, AutomationRule>();
  for (const rule of automation.automation) {
    if (!found.has(rule.action.kind) && isFor(rule, reply, text)) found.set(rule.action.kind, rule);
  }
  return [...found.values()];
}

/** Counts one matching reply. Keep `counts` for the next call; it is empty after the rule has fired. */
export function triggered(
  rule: AutomationRule,
  counts: TriggerCounts | undefined,
  now: number,
): { fires: boolean; counts: TriggerCounts } {
  const { count, withinMs } = rule.trigger;
  const recent = [...(counts?.at ?? []).filter((at) => at > now - withinMs), now].slice(-count);
  return recent.length >= count
    ? { fires: true, counts: { at: [] } }
    : { fires: false, counts: { at: recent } };
}

function providersOf(
  reader: DataReader,
  rule: Fields,
  place: string,
  known: ReadonlySet<string>,
): string[] | null {
  if (rule['provider'] !== undefined && rule['providers'] !== undefined) {
    reader.problem(place, 'must not have both "provider" and "providers"');
  }
  const given = rule['providers'] ?? (rule['provider'] === undefined ? undefined : [rule['provider']]);
  if (given === undefined) return null;
  const names = reader.list(given, `${place}.providers`, 100);
  if (names.length === 0) reader.problem(`${place}.providers`, 'must not be empty');
  return names.flatMap((name) => {
    if (typeof name === 'string' && known.has(name)) return [name];
    reader.problem(place, `refers to an unknown provider. Known providers: ${[...known].join(', ')}`);
    return [];
  });
}

function triggerOf(reader: DataReader, value: unknown, place: string): AutomationRule['trigger'] {
  if (value === 'immediate') return { count: 1, withinMs: 0 };
  if (typeof value !== 'object' || value === null) {
    reader.problem(place, 'must be "immediate" or {"count", "within"}');
    return { count: 1, withinMs: 0 };
  }
  const { count, within } = reader.fields(value, place, ['count', 'within']);
  return {
    count: reader.whole(count, `${place}.count`, { min: 1, max: MAX_COUNT }) ?? 1,
    withinMs: reader.duration(within, `${place}.within`) ?? 0,
  };
}

function actionOf(reader: DataReader, value: unknown, place: string): AutomationAction {
  const action = reader.fields(value, place, [...AUTOMATION_ACTIONS, 'for']);
  const kinds = AUTOMATION_ACTIONS.filter((name) => action[name] !== undefined);
  const kind = kinds[0];
  if (kind === undefined || kinds.length > 1) {
    reader.problem(place, `must have exactly one of ${AUTOMATION_ACTIONS.join(', ')}`);
    return { kind: 'suspend', forMs: 0 };
  }
  const argument = action[kind];
  const at = `${place}.${kind}`;
  if (kind === 'suspend' || kind === 'suspend_tenant') {
    if (action['for'] !== undefined)
      reader.problem(place, `already has a duration in "${kind}"; remove "for"`);
    return { kind, forMs: reader.duration(argument, at) ?? 0 };
  }
  const forMs = reader.duration(action['for'], `${place}.for`) ?? 0;
  if (kind === 'rate')
    return { kind, forMs, rate: reader.rate(argument, at) ?? { count: 1, perMs: 1, burst: 1 } };
  return { kind, forMs, limit: reader.whole(argument, at, { min: 1, max: 1_000_000 }) ?? 1 };
}

function ruleOf(
  reader: DataReader,
  value: unknown,
  place: string,
  providers: ReadonlySet<string>,
): AutomationRule {
  const rule = reader.fields(value, place, RULE_KEYS);
  const name = reader.name(rule['name'], `${place}.name`) ?? '';
  const here = name === '' ? place : `${place} (${name})`;
  const { code = '', phases, unless } = rule;
  if (typeof code !== 'string' || !/^(?:[45]\d{0,2})?$/.test(code)) {
    reader.problem(`${here}.code`, 'must be the start of a reply code, for example "4" or "421"');
  }
  return {
    name,
    providers: providersOf(reader, rule, here, providers),
    phases:
      phases === undefined
        ? null
        : reader
            .list(phases, `${here}.phases`, REPLY_PHASES.length)
            .flatMap((phase) => reader.oneOf(phase, `${here}.phases`, REPLY_PHASES) ?? []),
    code: typeof code === 'string' ? code : '',
    pattern: patternOf(reader, rule['pattern'], `${here}.pattern`),
    unless: unless === undefined ? null : patternOf(reader, unless, `${here}.unless`),
    trigger: triggerOf(reader, rule['trigger'], `${here}.trigger`),
    action: actionOf(reader, rule['action'], `${here}.action`),
  };
}

function patternOf(reader: DataReader, value: unknown, place: string): RegExp {
  const source = reader.text(value, place);
  if (source === undefined) return /x/;
  const problem = patternProblem(source);
  if (problem !== null) {
    reader.problem(place, problem);
    return /x/;
  }
  try {
    return compileSafePattern(source);
  } catch {
    reader.problem(place, 'must be a regular expression');
    return /x/;
  }
}

/** Parses a list of rules, each with a unique name. */
export function readAutomation(
  reader: DataReader,
  value: unknown,
  place: string,
  providers: ReadonlySet<string>,
): AutomationRule[] {
  const rules = reader
    .list(value, place, MAX_RULES)
    .map((rule, i) => ruleOf(reader, rule, `${place}[${i}]`, providers));
  const names = rules.map(({ name }) => name);
  const twice = names.find((name, i) => name !== '' && names.indexOf(name) < i);
  if (twice !== undefined) reader.problem(place, `has two rules named "${twice}"`);
  return rules;
}
