// The rules of outgoing mail as this configuration makes them: shipped data, and the operator's over it.
import type { Config } from '../runtime/config/schema.js';
import { readShipped } from '../runtime/config/shipped.js';
import { compileEgress } from '../rules/egress-data.js';
import type { Egress } from '../rules/egress.js';
import { compileProviders, type Providers } from '../rules/provider.js';
import { compileShaping, type Shaping } from '../rules/shaping.js';
import { DataProblems } from '../rules/written-data.js';

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
  const providers = compileProviders(readShipped('providers'));
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
