// Counts a batch of events: reads the rows to compare with, and writes the counters as the cursor moves.
import { LRUCache } from 'lru-cache';
import type { TrailEvent } from '../contract/names.js';
import {
  isEngagement,
  readSigns,
  type EngagedBefore,
  countsOnce,
  hasSigns,
  measuresForEvent,
  type EventSigns,
} from './event-measures.rules.js';
import { POSITIONS_PER_WORKSPACE } from '../events/chains.store.js';
import { readDetail } from '../events/events.store.js';
import type { ConsumedEvent, Taken } from '../events/consumers.store.js';
import { addCounters, type StatisticsStore, ALL_TENANTS, type AnsweredMessage } from './statistics.store.js';
import { UNKNOWN_PROVIDER } from '../outbound/route/provider.rules.js';
import type { Measure } from './analytics.schema.js';
import { type EventCounters, type GroupDimension, routeSideKey } from './counters.store.js';
import { findLinkForm, linkFormsIn, type LinkForm } from './link-forms.rules.js';

/** Measures of a sub-tenant's reputation. */
const REPUTATION_MEASURES = [
  'sent',
  'delivered',
  'bounced',
  'complained',
] as const satisfies readonly Measure[];
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Longer URLs are truncated in the key, so those with the same beginning are counted together. */
const MAX_URL = 2_048;

/** State before the events. */
interface Known {
  /** By message. Messages without opens and clicks are missing. */
  engaged: ReadonlyMap<number, EngagedBefore>;
  /** `<message id> <event>` of events that count once and have happened. */
  happened: ReadonlySet<string>;
  /** By message: the links with placeholders of its template. */
  forms: ReadonlyMap<number, readonly LinkForm[]>;
  /** By message: the links that a person has clicked. */
  clickedLinks: ReadonlyMap<number, ReadonlySet<string>>;
  /** Keyed by the id of a received message. */
  answered: ReadonlyMap<number, AnsweredMessage>;
  /** Keyed by the recipient's domain. */
  providers: ReadonlyMap<string, string>;
}

/** The message that an event is counted for. */
type Counted = Pick<
  AnsweredMessage,
  | 'environment_id'
  | 'sub_tenant_id'
  | 'type'
  | 'campaign_id'
  | 'sequence_id'
  | 'variant'
  | 'messageId'
  | 'to_key'
  | 'tags'
  | 'route'
> & { provider: string | null };

const NOTHING_YET: EngagedBefore = { opens: 0, machineOpens: 0, clicks: 0, machineClicks: 0 };

function happenedKey(messageId: number, event: TrailEvent): string {
  return `${messageId} ${event}`;
}

/** Returns the key of a link: its form in the template if it contains values of the recipient. */
function linkKey(url: string, forms: readonly LinkForm[] = []): string {
  return (findLinkForm(url, forms) ?? url).slice(0, MAX_URL);
}

/** Adds events to counters, in the order of the chain. The server's own reports are not counted. */
class EventCounts {
  readonly #known: Known;
  readonly #rows = {
    days: createRows<EventCounters['days'][number]>(),
    allHours: createRows<EventCounters['allHours'][number]>(),
    groups: createRows<EventCounters['groups'][number]>(),
    bounces: createRows<EventCounters['bounces'][number]>(),
    tenantHours: createRows<EventCounters['tenantHours'][number]>(),
    sources: createRows<EventCounters['sources'][number]>(),
    hours: createRows<EventCounters['hours'][number]>(),
    links: createRows<EventCounters['links'][number]>(),
    engagements: createRows<EventCounters['engagements'][number]>(),
  };
  readonly #happened = new Set<string>();
  readonly #clickedLinks = new Map<number, Set<string>>();

  constructor(known: Known) {
    this.#known = known;
  }

  add(event: ConsumedEvent): void {
    const message = countedMessage(event, this.#known);
    if (!message) return;
    const { messageId } = message;
    const key = happenedKey(messageId, event.event);
    const isRepeated = countsOnce(event.event) && (this.#known.happened.has(key) || this.#happened.has(key));
    if (countsOnce(event.event)) this.#happened.add(key);
    const signs = readSigns(event.event, hasSigns(event.event) ? readDetail(event).metadata : undefined);
    const before = isEngagement(event.event) ? this.#engagedBefore(messageId) : NOTHING_YET;
    const measures = measuresForEvent({ event: event.event, ...signs, isRepeated, before });
    for (const measure of measures) this.#count(message, measure, event.occurred_at);
    if (measures.includes('bounced')) this.#bounce(message, signs, event.occurred_at);
    if (isEngagement(event.event)) this.#engage(messageId, event.event, signs.isMachine);
    if (signs.url !== null) this.#click(message, signs.url, signs.isMachine);
  }

  counters(): EventCounters {
    const { days, allHours, groups, bounces, tenantHours, sources, hours, links, engagements } = this.#rows;
    return {
      days: days.all(),
      allHours: allHours.all(),
      groups: groups.all(),
      bounces: bounces.all(),
      tenantHours: tenantHours.all(),
      sources: sources.all(),
      hours: hours.all(),
      links: links.all(),
      engagements: engagements.all(),
    };
  }

  #count(message: Counted, measure: Measure, at: number): void {
    const { environment_id: environmentId, type, variant } = message;
    const day = Math.floor(at / DAY_MS);
    const hour = Math.floor(at / HOUR_MS);
    for (const subTenantKey of [message.sub_tenant_id ?? '', ALL_TENANTS]) {
      const row = { environmentId, subTenantKey, type, measure };
      const key = `${environmentId} ${subTenantKey} ${type} ${measure}`;
      this.#rows.days.at(`${key} ${day}`, () => ({ ...row, day, n: 0 })).n += 1;
      this.#rows.allHours.at(`${key} ${hour}`, () => ({ ...row, hour, n: 0 })).n += 1;
      for (const [dimension, value] of groupsOf(message, this.#known)) {
        this.#rows.groups.at(`${key} ${day} ${dimension} ${value}`, () => ({
          ...row,
          day,
          dimension,
          value,
          n: 0,
        })).n += 1;
      }
    }
    const counted = REPUTATION_MEASURES.find((one) => one === measure);
    const subTenantId = message.sub_tenant_id;
    if (counted !== undefined && subTenantId !== null) {
      const nothing = () => ({
        environmentId,
        subTenantId,
        hour,
        sent: 0,
        delivered: 0,
        bounced: 0,
        complained: 0,
      });
      this.#rows.tenantHours.at(`${environmentId} ${subTenantId} ${hour}`, nothing)[counted] += 1;
    }
    const sourceId = message.campaign_id ?? message.sequence_id;
    if (sourceId === null) return;
    const copy = variant ?? '';
    const ofCopy = () => ({ sourceId, variant: copy, measure, n: 0 });
    this.#rows.sources.at(`${sourceId} ${measure} ${copy}`, ofCopy).n += 1;
    this.#rows.hours.at(`${sourceId} ${hour} ${measure}`, () => ({ sourceId, hour, measure, n: 0 })).n += 1;
  }

  #bounce(message: Counted, { category, isHard }: EventSigns, at: number): void {
    const { environment_id: environmentId } = message;
    const day = Math.floor(at / DAY_MS);
    const bounceType = isHard ? 'hard' : 'soft';
    const provider = knownProvider(message, this.#known);
    for (const subTenantKey of [message.sub_tenant_id ?? '', ALL_TENANTS]) {
      const row = { environmentId, subTenantKey, day, category, bounceType, provider, n: 0 } as const;
      this.#rows.bounces.at(Object.values(row).join(' '), () => ({ ...row })).n += 1;
    }
  }

  /** The events of the message up to now, these included. */
  #engagedBefore(messageId: number): EngagedBefore {
    const before = this.#known.engaged.get(messageId) ?? NOTHING_YET;
    const now = this.#rows.engagements.get(String(messageId));
    if (!now) return before;
    return {
      opens: before.opens + now.opens,
      machineOpens: before.machineOpens + now.machineOpens,
      clicks: before.clicks + now.clicks,
      machineClicks: before.machineClicks + now.machineClicks,
    };
  }

  #engage(messageId: number, event: 'opened' | 'clicked', isMachine: boolean): void {
    const row = this.#rows.engagements.at(String(messageId), () => ({ messageId, ...NOTHING_YET }));
    if (event === 'opened') row[isMachine ? 'machineOpens' : 'opens'] += 1;
    else row[isMachine ? 'machineClicks' : 'clicks'] += 1;
  }

  #click(message: Counted, url: string, isMachine: boolean): void {
    const sourceId = message.campaign_id ?? message.sequence_id;
    if (sourceId === null) return;
    const key = linkKey(url, this.#known.forms.get(message.messageId));
    const link = this.#rows.links.at(`${sourceId} ${key}`, () => ({
      sourceId,
      url: key,
      clicks: 0,
      people: 0,
      machineClicks: 0,
    }));
    if (isMachine) {
      link.machineClicks += 1;
      return;
    }
    link.clicks += 1;
    const { messageId } = message;
    let clicked = this.#clickedLinks.get(messageId);
    if (!clicked)
      this.#clickedLinks.set(messageId, (clicked = new Set(this.#known.clickedLinks.get(messageId))));
    if (!clicked.has(key)) link.people += 1;
    clicked.add(key);
  }
}

/**
 * Returns `null` for events that are not counted: those of sub-tenants, the server's reports, forwarded mail (written by others),
 * and received mail without an original.
 */
function countedMessage(event: ConsumedEvent, known: Known): Counted | null {
  const { message_id: messageId, type } = event;
  if (messageId === null || type === null || event.null_sender === 1 || event.forward !== null) return null;
  if (event.event !== 'received')
    return { ...event, type, messageId, to_key: event.to_key ?? '', tags: event.tags ?? '[]' };
  const answered = known.answered.get(messageId);
  return answered?.isFirst && answered.null_sender === 0 && answered.forward === null ? answered : null;
}

/** The domain of an address; '' of one that was taken off. */
function domainOf(addressKey: string): string {
  return addressKey.slice(addressKey.lastIndexOf('@') + 1);
}

function knownProvider({ to_key: addressKey }: Counted, { providers }: Known): string {
  return providers.get(domainOf(addressKey)) ?? UNKNOWN_PROVIDER;
}

/** Further groups that an event of the message is counted under. */
function groupsOf(message: Counted, known: Known): [GroupDimension, string][] {
  const tags = message.tags === '[]' ? [] : new Set(JSON.parse(message.tags) as string[]);
  return [
    ['provider', knownProvider(message, known)],
    ...[...tags].map((tag): ['tag', string] => ['tag', tag]),
    ...sideOf(message),
  ];
}

/** The side of a route with a share. */
function sideOf({ route, provider }: Counted): ['route', string][] {
  if (route === null) return [];
  return [['route', routeSideKey(route, provider === 'mta' ? 'direct' : 'smarthost')]];
}

/** Rows by key, created on first use. */
function createRows<Row>() {
  const rows = new Map<string, Row>();
  return {
    get: (key: string): Row | undefined => rows.get(key),
    at(key: string, make: () => Row): Row {
      let row = rows.get(key);
      if (row === undefined) rows.set(key, (row = make()));
      return row;
    },
    all: (): Row[] => [...rows.values()],
  };
}

const REPEATABLE: readonly TrailEvent[] = ['bounced', 'complained', 'unsubscribed'];

type CountEvents = (events: readonly ConsumedEvent[]) => Promise<Taken>;

/**
 * Returns the `take` of a consumer. It only reads rows that earlier moves of the same cursor have written, so its counters are
 * right whenever the move is committed.
 */
export function createCountEvents(
  statistics: StatisticsStore,
  /** Returns the mail provider of a domain, or `null` while it is not known. */
  providerOf: (domain: string) => string | null = () => null,
): CountEvents {
  const readForms = createFormReader(statistics);
  return async (events) => {
    const { known, learned } = await readKnown(statistics, events, { providerOf, readForms });
    const counts = new EventCounts(known);
    for (const event of events) counts.add(event);
    const counters = { ...counts.counters(), providers: learned };
    return { write: (writing) => addCounters(writing, counters) };
  };
}

async function readKnown(
  statistics: StatisticsStore,
  events: readonly ConsumedEvent[],
  { providerOf, readForms }: { providerOf: (domain: string) => string | null; readForms: ReadForms },
): Promise<{ known: Known; learned: { domain: string; provider: string }[] }> {
  const upTo = (events[0]?.position ?? POSITIONS_PER_WORKSPACE) - 1;
  const engaged = new Map<number, EngagedBefore>();
  for (const row of (await statistics.engagements(idsOf(events, isEngaging))).values()) {
    engaged.set(row.message_id, {
      opens: row.opens,
      machineOpens: row.machine_opens,
      clicks: row.clicks,
      machineClicks: row.machine_clicks,
    });
  }
  const happened = await statistics.happened(idsOf(events, isRepeatable), upTo);
  const answered = await statistics.answered(idsOf(events, ({ event }) => event === 'received'));
  const clickers = idsOf(events, isSourceClick).filter((id) => (engaged.get(id)?.clicks ?? 0) > 0);
  const details = await statistics.clickDetails(clickers, upTo);
  const forms = await readForms(idsOf(events, isSourceClick));
  const clickedLinks = new Map(
    [...details].map(([id, texts]) => [
      id,
      new Set(texts.flatMap((text) => linkOfClick(text, forms.get(id)))),
    ]),
  );
  const addresses = [...events, ...answered.values()].flatMap(({ to_key: key }) =>
    key === null ? [] : [key],
  );
  const { providers, learned } = await readProviders(
    statistics,
    new Set(addresses.map(domainOf)),
    providerOf,
  );
  const known = {
    engaged,
    happened: new Set(happened.map(({ messageId, event }) => happenedKey(messageId, event))),
    clickedLinks,
    forms,
    answered,
    providers,
  };
  return { known, learned };
}

type ReadForms = (messageIds: readonly number[]) => Promise<Map<number, readonly LinkForm[]>>;

/** Templates whose links are remembered. */
const REMEMBERED_TEMPLATES = 200;

/** Reads the links with placeholders of the messages' templates. A version of a template never changes. */
function createFormReader(statistics: StatisticsStore): ReadForms {
  const remembered = new LRUCache<string, readonly LinkForm[]>({ max: REMEMBERED_TEMPLATES });
  return async (messageIds) => {
    const found = new Map<number, readonly LinkForm[]>();
    for (const [id, pin] of await statistics.templatesOf(messageIds)) {
      const key = `${pin.templateId} ${pin.version}`;
      let forms = remembered.get(key);
      if (forms === undefined) {
        forms = linkFormsIn((await statistics.templateHtml(pin)) ?? '');
        remembered.set(key, forms);
      }
      if (forms.length > 0) found.set(id, forms);
    }
    return found;
  };
}

/** Reads stored providers. Those that deliveries know are newer, and are stored with the counters. */
async function readProviders(
  statistics: StatisticsStore,
  domains: ReadonlySet<string>,
  providerOf: (domain: string) => string | null,
): Promise<{ providers: Map<string, string>; learned: { domain: string; provider: string }[] }> {
  const providers = await statistics.providers([...domains]);
  const learned: { domain: string; provider: string }[] = [];
  for (const domain of domains) {
    const provider = providerOf(domain);
    if (provider === null || providers.get(domain) === provider) continue;
    providers.set(domain, provider);
    learned.push({ domain, provider });
  }
  return { providers, learned };
}

function idsOf(events: readonly ConsumedEvent[], isWanted: (event: ConsumedEvent) => boolean): number[] {
  const ids = new Set<number>();
  for (const event of events) if (event.message_id !== null && isWanted(event)) ids.add(event.message_id);
  return [...ids];
}

function isEngaging({ event }: ConsumedEvent): boolean {
  return isEngagement(event);
}

function isRepeatable({ event }: ConsumedEvent): boolean {
  return REPEATABLE.includes(event);
}

function isSourceClick({ event, campaign_id, sequence_id }: ConsumedEvent): boolean {
  return event === 'clicked' && (campaign_id ?? sequence_id) !== null;
}

/** The link that a person clicked. */
function linkOfClick(detail: string, forms: readonly LinkForm[] | undefined): string[] {
  const { url, isMachine } = readSigns('clicked', readDetail({ detail }).metadata);
  return url === null || isMachine ? [] : [linkKey(url, forms)];
}
