// The rules of outgoing mail as this configuration makes them: shipped data, and the operator's over it.
import type { Config } from '../../settings/settings.js';
import { compileShipped, readShipped } from '../../settings/shipped.js';
import { compileEgress } from './egress-data.rules.js';
import type { Egress } from './egress.rules.js';
import { compileProviders, type Providers } from './provider.rules.js';
import { compileShaping, type Shaping } from '../shape/shaping.rules.js';
import { DataProblems } from '../../lib/config/operator-data.rules.js';

export interface OutboundRules {
  providers: Providers;
  shaping: Shaping;
  egress: Egress;
}

export type OutboundSettings = Pick<
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
  if (!shaping || !egress) throw new DataProblems(problems);
  return { providers, shaping, egress };
}
