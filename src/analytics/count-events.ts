// Counts a batch of events: reads the rows to compare with, and writes the counters as the cursor moves.
import { LRUCache } from 'lru-cache';
import type { TrailEvent } from '../contract/names.js';
import {
  isEngagement,
  signsOf,
  type EngagedBefore,
  countsOnce,
  hasSigns,
  measuresOf,
  type EventSigns,
} from './event-measures.rules.js';
import { POSITIONS_PER_WORKSPACE } from '../events/chains.store.js';
import { detailOf } from '../events/events.store.js';
import type { ConsumedEvent, Taken } from '../events/consumers.store.js';
import { addCounters, type StatisticsStore, ALL_TENANTS, type AnsweredMessage } from './statistics.store.js';
import { UNKNOWN_PROVIDER } from '../outbound/route/provider.rules.js';
import type { Measure } from './analytics.schema.js';
import type { EventCounters } from './counters.store.js';
import { formOf, linkFormsIn, type LinkForm } from './link-forms.rules.js';

// Adds a run of events to the counters. Reads nothing: the facts about earlier events are given.
/** Measures of a sub-tenant's reputation. */
const REPUTATION_MEASURES = [
  'sent',
  'delivered',
  'bounced',
  'complained',
] as const satisfies readonly Measure[];
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** A key is no place for a longer one; those that begin alike are counted together. */
const MAX_URL = 2_048;

/** State before the events. */
interface Known {
  /** By message; those that nobody opened or clicked are missing. */
  engaged: ReadonlyMap<number, EngagedBefore>;
  /** `<message id> <event>` of events that count once and have happened. */
  happened: ReadonlySet<string>;
  /** By message: the links with placeholders of its template. */
  forms: ReadonlyMap<number, readonly LinkForm[]>;
  /** By message: the links that a person has clicked. */
  clickedLinks: ReadonlyMap<number, ReadonlySet<string>>;
  /** By the id of a received message. */
  answered: ReadonlyMap<number, AnsweredMessage>;
  /** By the recipient's domain. */
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
>;

const NOTHING_YET: EngagedBefore = { opens: 0, machineOpens: 0, clicks: 0, machineClicks: 0 };

function happenedKey(messageId: number, event: TrailEvent): string {
  return `${messageId} ${event}`;
}

/** A link as it is counted: as its template has it, where that holds values of the recipient. */
function linkKey(url: string, forms: readonly LinkForm[] = []): string {
  return (formOf(url, forms) ?? url).slice(0, MAX_URL);
}

/** Counters of these events, in the chain's order. The appliance's own reports count for nobody and are left out. */
function countersOf(events: readonly ConsumedEvent[], known: Known): EventCounters {
  const days = createRows<EventCounters['days'][number]>();
  const allHours = createRows<EventCounters['allHours'][number]>();
  const groups = createRows<EventCounters['groups'][number]>();
  const bounces = createRows<EventCounters['bounces'][number]>();
  const tenantHours = createRows<EventCounters['tenantHours'][number]>();
  const sources = createRows<EventCounters['sources'][number]>();
  const hours = createRows<EventCounters['hours'][number]>();
  const links = createRows<EventCounters['links'][number]>();
  const engagements = createRows<EventCounters['engagements'][number]>();
  const happened = new Set<string>();
  const clickedLinks = new Map<number, Set<string>>();

  function count(message: Counted, measure: Measure, at: number): void {
    const { environment_id: environmentId, type, variant } = message;
    const day = Math.floor(at / DAY_MS);
    const hour = Math.floor(at / HOUR_MS);
    for (const subTenantKey of [message.sub_tenant_id ?? '', ALL_TENANTS]) {
      const row = { environmentId, subTenantKey, type, measure };
      const key = `${environmentId} ${subTenantKey} ${type} ${measure}`;
      days.at(`${key} ${day}`, () => ({ ...row, day, n: 0 })).n += 1;
      allHours.at(`${key} ${hour}`, () => ({ ...row, hour, n: 0 })).n += 1;
      for (const [dimension, value] of groupsOf(message, known)) {
        groups.at(`${key} ${day} ${dimension} ${value}`, () => ({
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
      tenantHours.at(`${environmentId} ${subTenantId} ${hour}`, nothing)[counted] += 1;
    }
    const sourceId = message.campaign_id ?? message.sequence_id;
    if (sourceId === null) return;
    const copy = variant ?? '';
    const ofCopy = () => ({ sourceId, variant: copy, measure, n: 0 });
    sources.at(`${sourceId} ${measure} ${copy}`, ofCopy).n += 1;
    hours.at(`${sourceId} ${hour} ${measure}`, () => ({ sourceId, hour, measure, n: 0 })).n += 1;
  }

  function bounce(message: Counted, { category, isHard }: EventSigns, at: number): void {
    const { environment_id: environmentId } = message;
    const day = Math.floor(at / DAY_MS);
    const bounceType = isHard ? 'hard' : 'soft';
    const provider = providerOf(message, known);
    for (const subTenantKey of [message.sub_tenant_id ?? '', ALL_TENANTS]) {
      const row = { environmentId, subTenantKey, day, category, bounceType, provider, n: 0 } as const;
      bounces.at(Object.values(row).join(' '), () => ({ ...row })).n += 1;
    }
  }

  /** The events of the message up to now, these included. */
  function engagedBefore(messageId: number): EngagedBefore {
    const before = known.engaged.get(messageId) ?? NOTHING_YET;
    const now = engagements.get(String(messageId));
    if (!now) return before;
    return {
      opens: before.opens + now.opens,
      machineOpens: before.machineOpens + now.machineOpens,
      clicks: before.clicks + now.clicks,
      machineClicks: before.machineClicks + now.machineClicks,
    };
  }

  function engage(messageId: number, event: 'opened' | 'clicked', isMachine: boolean): void {
    const row = engagements.at(String(messageId), () => ({ messageId, ...NOTHING_YET }));
    if (event === 'opened') row[isMachine ? 'machineOpens' : 'opens'] += 1;
    else row[isMachine ? 'machineClicks' : 'clicks'] += 1;
  }

  function click(message: Counted, url: string, isMachine: boolean): void {
    const sourceId = message.campaign_id ?? message.sequence_id;
    if (sourceId === null) return;
    const key = linkKey(url, known.forms.get(message.messageId));
    const link = links.at(`${sourceId} ${key}`, () => ({
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
    let clicked = clickedLinks.get(messageId);
    if (!clicked) clickedLinks.set(messageId, (clicked = new Set(known.clickedLinks.get(messageId))));
    if (!clicked.has(key)) link.people += 1;
    clicked.add(key);
  }

  for (const event of events) {
    const message = countedMessage(event, known);
    if (!message) continue;
    const { messageId } = message;
    const key = happenedKey(messageId, event.event);
    const isRepeated = countsOnce(event.event) && (known.happened.has(key) || happened.has(key));
    if (countsOnce(event.event)) happened.add(key);
    const signs = signsOf(event.event, hasSigns(event.event) ? detailOf(event).metadata : undefined);
    const before = isEngagement(event.event) ? engagedBefore(messageId) : NOTHING_YET;
    const measures = measuresOf({ event: event.event, ...signs, isRepeated, before });
    for (const measure of measures) count(message, measure, event.occurred_at);
    if (measures.includes('bounced')) bounce(message, signs, event.occurred_at);
    if (isEngagement(event.event)) engage(messageId, event.event, signs.isMachine);
    if (signs.url !== null) click(message, signs.url, signs.isMachine);
  }
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

/** Null for what is counted nowhere: tenants' events, our own reports, received mail that answers nothing. */
function countedMessage(event: ConsumedEvent, known: Known): Counted | null {
  const { message_id: messageId, type } = event;
  if (messageId === null || type === null || event.null_sender === 1) return null;
  if (event.event !== 'received')
    return { ...event, type, messageId, to_key: event.to_key ?? '', tags: event.tags ?? '[]' };
  const answered = known.answered.get(messageId);
  return answered?.isFirst && answered.null_sender === 0 ? answered : null;
}

/** The domain of an address; '' of one that was taken off. */
function domainOf(addressKey: string): string {
  return addressKey.slice(addressKey.lastIndexOf('@') + 1);
}

function providerOf({ to_key: addressKey }: Counted, { providers }: Known): string {
  return providers.get(domainOf(addressKey)) ?? UNKNOWN_PROVIDER;
}

/** Further groups that an event of the message is counted under. */
function groupsOf(message: Counted, known: Known): ['tag' | 'provider', string][] {
  const tags = message.tags === '[]' ? [] : new Set(JSON.parse(message.tags) as string[]);
  return [['provider', providerOf(message, known)], ...[...tags].map((tag): ['tag', string] => ['tag', tag])];
}

/** Rows by key, made when they are first asked for. */
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

export type CountEvents = (events: readonly ConsumedEvent[]) => Promise<Taken>;

/**
 * For `createConsumer`. What is read here was written by earlier moves of the same cursor only, so that it is right
 * whenever the move is.
 */
export function createCountEvents(
  statistics: StatisticsStore,
  /** The mail provider of a domain; null while unknown. */
  providerOf: (domain: string) => string | null = () => null,
): CountEvents {
  const formsOf = createFormsOf(statistics);
  return async (events) => {
    const { known, learned } = await knownOf(statistics, events, { providerOf, formsOf });
    const counters = { ...countersOf(events, known), providers: learned };
    return { write: (writing) => addCounters(writing, counters) };
  };
}

async function knownOf(
  statistics: StatisticsStore,
  events: readonly ConsumedEvent[],
  { providerOf, formsOf }: { providerOf: (domain: string) => string | null; formsOf: FormsOf },
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
  const forms = await formsOf(idsOf(events, isSourceClick));
  const clickedLinks = new Map(
    [...details].map(([id, texts]) => [
      id,
      new Set(texts.flatMap((text) => linkOfClick(text, forms.get(id)))),
    ]),
  );
  const addresses = [...events, ...answered.values()].flatMap(({ to_key: key }) =>
    key === null ? [] : [key],
  );
  const { providers, learned } = await providersOf(statistics, new Set(addresses.map(domainOf)), providerOf);
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

type FormsOf = (messageIds: readonly number[]) => Promise<Map<number, readonly LinkForm[]>>;

/** Templates whose links are remembered. */
const REMEMBERED_TEMPLATES = 200;

/** Reads the links with placeholders of the messages' templates. A version of a template never changes. */
function createFormsOf(statistics: StatisticsStore): FormsOf {
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

/** Kept names stand for domains that no mail went to lately; what the deliveries know is newer, and is kept in turn. */
async function providersOf(
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
  const { url, isMachine } = signsOf('clicked', detailOf({ detail }).metadata);
  return url === null || isMachine ? [] : [linkKey(url, forms)];
}
