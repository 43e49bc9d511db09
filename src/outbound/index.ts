// Wires outgoing mail: its routes and its jobs.
import type { Scope } from '../database/scope.js';
import type { Routes } from '../http/api.js';
import type { Job } from '../lib/concurrency/index.js';
import type { Message } from '../messages/messages.store.js';
import type { OutboundApiContext, OutboundContext } from './context.js';
import { createRawMessages } from './deliver/raw-message.js';
import { rawRoute } from './deliver/raw.routes.js';
import { explainMessage } from './explain/explain-message.js';
import type { Explanation } from './explain/explain.rules.js';
import { messageInsightRoutes } from './explain/insight.routes.js';
import { recheckDomains } from './outcome/dead-domains.js';
import { reloadRoute } from './reload.routes.js';
import { egressRoutes } from './route/egress.routes.js';
import { routePolicy } from './route/route-policy.js';
import { sourceRoutes } from './route/sources.routes.js';
import type { StsPolicies } from './route/sts-policies.js';
import { queueRoutes } from './schedule/queue.routes.js';
import { sandboxRoutes } from './simulator/sandbox.routes.js';
import { Traces } from './trace.js';
import { traceRoute } from './trace.routes.js';

/** Routes of the queue, of the sources and of the sandbox; `messageRoutes` show the delivery of one message. */
export function createOutboundApi(context: OutboundApiContext) {
  const rawMessage = createRawMessages(context);
  const traces = new Traces(context.clock);
  const messageRoutes: Routes[] = [
    (api) => rawRoute(api, context, rawMessage),
    (api) => messageInsightRoutes(api, context),
  ];
  const routes: Routes[] = [
    (api) => queueRoutes(api, context),
    (api) => sourceRoutes(api, context),
    (api) => reloadRoute(api, context),
    (api) => traceRoute(api, traces),
    (api) => egressRoutes(api, context),
    (api) => sandboxRoutes(api, context),
  ];
  const explain: ExplainMessage = (scope, message) => explainMessage(context, scope, message);
  return { explain, rawMessage, messageRoutes, routes };
}

export type ExplainMessage = (scope: Scope, message: Message) => Promise<Explanation>;

/** Jobs of the timetable: rechecks of domains that took no mail, and the renewal of MTA-STS policies. */
export function outboundJobs(context: OutboundContext, sts: Pick<StsPolicies, 'refresh'>): Job[] {
  const policy = routePolicy(context.config, [4, 6]);
  const stopping = new AbortController();
  return [
    {
      ...{ name: 'dead domains', at: 'minute' },
      run: () => recheckDomains(context, policy, stopping.signal),
      stop: () => stopping.abort(),
    },
    { name: 'MTA-STS policies', at: 'hour', run: () => sts.refresh(), isOfEachNode: true },
  ];
}
