// Compares two sets of rules part by part, for the operator who reloads the files.
import { isDeepStrictEqual } from 'node:util';
import type { OutboundRules } from './outbound-rules.js';

export const RULE_PARTS = [
  'source',
  'pool',
  'smarthost',
  'routes',
  'default',
  'overflow',
  'shaping',
  'providers',
  'bounce_rules',
] as const;

export interface RuleChange {
  part: (typeof RULE_PARTS)[number];
  /** `null` if the part has no names. */
  name: string | null;
  change: 'added' | 'removed' | 'changed';
}

/** In the order of the parts; empty when nothing differs. */
export function ruleChanges(before: OutboundRules, after: OutboundRules): RuleChange[] {
  const { egress: old } = before;
  const { egress: now } = after;
  return [
    ...named('source', old.sources, now.sources),
    ...named('pool', old.pools, now.pools),
    ...named('smarthost', old.smarthosts, now.smarthosts),
    ...whole('routes', old.routes, now.routes),
    ...whole('default', old.default, now.default),
    ...whole('overflow', old.overflow, now.overflow),
    ...whole('shaping', before.shaping, after.shaping),
    ...whole('providers', before.providers, after.providers),
    ...whole('bounce_rules', before.bounces, after.bounces),
  ];
}

function named(
  part: RuleChange['part'],
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): RuleChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): RuleChange[] => {
    if (!before.has(name)) return [{ part, name, change: 'added' }];
    if (!after.has(name)) return [{ part, name, change: 'removed' }];
    return isDeepStrictEqual(before.get(name), after.get(name)) ? [] : [{ part, name, change: 'changed' }];
  });
}

function whole(part: RuleChange['part'], before: unknown, after: unknown): RuleChange[] {
  return isDeepStrictEqual(before, after) ? [] : [{ part, name: null, change: 'changed' }];
}
