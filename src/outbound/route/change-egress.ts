// The operator's changes of the egress: suspends and resumes sources, creates and deletes routes.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { insert, remove, upsert } from '../../database/rows.js';
import { newId } from '../../lib/runtime/index.js';
import type { OutboundApiContext, OutboundContext } from '../context.js';
import { operatorRoutes, routeShares, suspendedSources, type OperatorRoute } from '../outbound.tables.js';
import { firstShare } from './share.rules.js';
import { waitingPages } from '../schedule/queue.store.js';
import type { TrafficView } from '../traffic-view.js';
import type { EgressControl } from './egress-control.js';
import type { EgressRoute } from './egress.rules.js';
import type { SourceKind } from './operator-egress.js';
import type { SourceView } from './source-view.js';

/** Limited, because every message is compared with each. */
const MAX_ROUTES = 100;
/** Time (ms) for counting the mail that a new route matches. */
const COUNT_MS = 5_000;

// ---- sources ----

export interface SourcesContext extends Pick<OutboundContext, 'store' | 'clock'> {
  traffic: Pick<TrafficView, 'sources'>;
  control: Pick<EgressControl, 'suspend' | 'resume'>;
}

export function kindOfSource({ own }: SourceView): SourceKind {
  return own === null ? 'smarthost' : 'mta';
}

/** The source with that name. Refused with `not_found`, or with the field `kind` if a source and a smarthost have the name. */
export function findSource(
  { traffic }: Pick<SourcesContext, 'traffic'>,
  name: string,
  kind: SourceKind | undefined,
): SourceView {
  const named = traffic.sources().filter((view) => view.name === name);
  const [found, other] = named.filter((view) => kind === undefined || kindOfSource(view) === kind);
  if (!found) throw new Refusal('not_found', 'The source or smarthost does not exist.');
  if (!other) return found;
  throw invalidFields([
    { path: 'kind', message: 'is required because a source and a smarthost have this name' },
  ]);
}

/** Stops mail through the source and returns its new state. A second suspension replaces the reason and the end (epoch ms). */
export async function suspendSource(
  context: SourcesContext,
  source: SourceView,
  { reason, expiresAt }: { reason: string; expiresAt: number | null },
): Promise<SourceView> {
  const { store, control, clock } = context;
  const kind = kindOfSource(source);
  const set = { reason, created_at: source.suspended?.since ?? clock(), expires_at: expiresAt };
  const row = { kind, name: source.name, ...set };
  await store.commit([upsert(suspendedSources, { row, key: ['kind', 'name'], set })]);
  control.suspend(row);
  return findSource(context, source.name, kind);
}

/** Ends a suspension and returns the source's new state. */
export async function resumeSource(context: SourcesContext, source: SourceView): Promise<SourceView> {
  const { store, control } = context;
  const where = { kind: kindOfSource(source), name: source.name };
  await store.commit([remove(suspendedSources, { where })]);
  control.resume(where.kind, where.name);
  return findSource(context, where.name, where.kind);
}

// ---- routes ----

type RoutesContext = Pick<OutboundApiContext, 'store' | 'control' | 'engagement' | 'clock'>;

interface NewRoute {
  /** In the format of the routes in the egress file. */
  rule: object;
  /** The same, compiled. */
  route: EgressRoute;
  reason: string;
  expiresAt: number | null;
  isDryRun: boolean;
}

interface RoutedMail {
  matched: number;
  /** The most first. */
  destinations: { domain: string; messages: number }[];
  /** False when time was up. */
  isComplete: boolean;
}

/** Counts the mail that the route matches and, unless it is a dry run, creates the route. Refused with `conflict` if there are too many. */
export async function createRoute(
  context: RoutesContext,
  { rule, route, reason, expiresAt, isDryRun }: NewRoute,
): Promise<{ row: OperatorRoute | null; routed: RoutedMail }> {
  const { store, control, engagement, clock } = context;
  const now = clock();
  if (control.routes().length >= MAX_ROUTES) {
    throw new Refusal('conflict', `You have reached the limit of ${MAX_ROUTES} routes. Delete one first.`);
  }
  const routed = await countRouted(context, route);
  if (isDryRun) return { row: null, routed };
  const row = {
    id: newId('rte', now),
    rule: JSON.stringify(rule),
    reason,
    created_at: now,
    expires_at: expiresAt,
  };
  const share = route.share && firstShare(row.id, route.share.percent, await engagement.shareOfMail(), now);
  await store.commit([
    insert(operatorRoutes, { row }),
    ...(share === null ? [] : [insert(routeShares, { row: share })]),
  ]);
  control.addRoute(row, share);
  return { row, routed };
}

/** Refused with `not_found`. */
export async function deleteRoute(
  { store, control }: Pick<RoutesContext, 'store' | 'control'>,
  id: string,
): Promise<void> {
  await store.commit([
    remove(operatorRoutes, { where: { id }, otherwise: { code: 'not_found' } }),
    remove(routeShares, { where: { route: id } }),
  ]);
  control.removeRoute(id);
}

/** Counts the waiting live mail of every workspace that the route matches. */
async function countRouted(
  { store, control, clock }: Omit<RoutesContext, 'engagement'>,
  route: EgressRoute,
): Promise<RoutedMail> {
  const { types, tags } = route;
  const filter = { ...(types === null ? {} : { types }), ...(tags === null ? {} : { tags }) };
  const byDomain = new Map<string, number>();
  const end = clock() + COUNT_MS;
  let isComplete = true;
  count: for await (const page of waitingPages(store.queue, nextTurn)) {
    for (const queue of page) {
      if (queue.mode !== 'live' || !control.mayFit(route, queue)) continue;
      for await (const found of store.purge.matching(queue.queueId, filter)) {
        byDomain.set(queue.domain, (byDomain.get(queue.domain) ?? 0) + found.length);
        await nextTurn();
        if (clock() >= end) isComplete = false;
        if (!isComplete) break count;
      }
    }
  }
  const destinations = [...byDomain].flatMap(([domain, messages]) =>
    messages === 0 ? [] : [{ domain, messages }],
  );
  return {
    matched: destinations.reduce((sum, { messages }) => sum + messages, 0),
    destinations: destinations.sort((a, b) => b.messages - a.messages || (a.domain < b.domain ? -1 : 1)),
    isComplete,
  };
}
