// The rules for outbound mail: the shipped data, overridden by the operator's.
import type { Config } from '../../settings/settings.js';
import { compileShipped, readShipped } from '../../settings/shipped.js';
import { compileEgress } from './egress-data.rules.js';
import type { Egress } from './egress.rules.js';
import { compileProviders, type Providers } from './provider.rules.js';
import { compileBounceRules, type BounceRules } from '../outcome/bounce-class.rules.js';
import { compileShaping, type Shaping } from '../shape/shaping.rules.js';
import { DataProblems } from '../../lib/config/index.js';

export interface OutboundRules {
  providers: Providers;
  bounces: BounceRules;
  shaping: Shaping;
  egress: Egress;
}

type OutboundSettings = Pick<
  Config,
  | 'hostname'
  | 'smarthost'
  | 'sourceAddresses'
  | 'outbound'
  | 'shaping'
  | 'destinationConnections'
  | 'messagesPerConnection'
  | 'idleConnectionMs'
>;

/** Throws DataProblems with the mistakes of all parts. */
export function readOutboundRules(config: OutboundSettings): OutboundRules {
  const providers = compileShipped('providers', compileProviders);
  const problems: string[] = [];
  /** Undefined, with its problems kept, when the part has any. */
  function part<T>(compile: () => T): T | undefined {
    try {
      return compile();
    } catch (error) {
      if (!(error instanceof DataProblems)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  }
  const shaping = part(() =>
    compileShaping(readShipped('shaping'), config.shaping, providers.names, {
      connectionsMax: config.destinationConnections,
      messagesPerConnection: config.messagesPerConnection,
      idleMs: config.idleConnectionMs,
    }),
  );
  const egress = part(() =>
    compileEgress(config.outbound, {
      sourceAddresses: config.sourceAddresses,
      smarthost: config.smarthost,
      ehloName: config.hostname,
      providerNames: providers.names,
    }),
  );
  const bounces = part(() => compileShipped('bounce-rules', compileBounceRules, providers));
  if (!bounces || !shaping || !egress) throw new DataProblems(problems);
  return { providers, bounces, shaping, egress };
}

/** The rules in use. The object stays the same for the life of the process, but a reload replaces its parts. */
export interface LiveRules extends OutboundRules {
  replace(rules: OutboundRules): void;
}

/** Do not keep a part, because a reload replaces it. Get it at each use. */
export function createLiveRules(initial: OutboundRules): LiveRules {
  let now = initial;
  return {
    get providers() {
      return now.providers;
    },
    get bounces() {
      return now.bounces;
    },
    get shaping() {
      return now.shaping;
    },
    get egress() {
      return now.egress;
    },
    replace(rules) {
      now = rules;
    },
  };
}
