// Counting: reads what a run of events has to be compared with, and has the tally written as the cursor moves.
import type { TrailEvent } from '../contract/names.js';
import { isEngagement, signsOf, type EngagedBefore } from './event-measures.rules.js';
import { POSITIONS_PER_WORKSPACE } from '../events/chains.store.js';
import { detailOf } from '../events/events.store.js';
import type { FollowedEvent, Taken } from '../events/consumers.store.js';
import { addTally, type StatisticsStore } from './statistics.store.js';
import { domainOf, happenedKey, linkKey, tallyOf, type Known } from './tally.js';

const REPEATABLE: readonly TrailEvent[] = ['bounced', 'complained', 'unsubscribed'];

export type CountEvents = (events: readonly FollowedEvent[]) => Promise<Taken>;

/**
 * For `createFollower`. What is read here was written by earlier moves of the same cursor only, so that it is right
 * whenever the move is.
 */
export function createCountEvents(
  statistics: StatisticsStore,
  /** Who runs a domain's mail servers; null while nobody knows. */
  providerOf: (domain: string) => string | null = () => null,
): CountEvents {
  return async (events) => {
    const { known, learned } = await knownOf(statistics, events, providerOf);
    const tally = { ...tallyOf(events, known), providers: learned };
    return { write: (writing) => addTally(writing, tally) };
  };
}

async function knownOf(
  statistics: StatisticsStore,
  events: readonly FollowedEvent[],
  providerOf: (domain: string) => string | null,
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
  const clickedLinks = new Map([...details].map(([id, texts]) => [id, new Set(texts.flatMap(linkOfClick))]));
  const addresses = [...events, ...answered.values()].flatMap(({ to_key: key }) =>
    key === null ? [] : [key],
  );
  const { providers, learned } = await providersOf(statistics, new Set(addresses.map(domainOf)), providerOf);
  const known = {
    engaged,
    happened: new Set(happened.map(({ messageId, event }) => happenedKey(messageId, event))),
    clickedLinks,
    answered,
    providers,
  };
  return { known, learned };
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

function idsOf(events: readonly FollowedEvent[], isWanted: (event: FollowedEvent) => boolean): number[] {
  const ids = new Set<number>();
  for (const event of events) if (event.message_id !== null && isWanted(event)) ids.add(event.message_id);
  return [...ids];
}

function isEngaging({ event }: FollowedEvent): boolean {
  return isEngagement(event);
}

function isRepeatable({ event }: FollowedEvent): boolean {
  return REPEATABLE.includes(event);
}

function isSourceClick({ event, campaign_id, sequence_id }: FollowedEvent): boolean {
  return event === 'clicked' && (campaign_id ?? sequence_id) !== null;
}

/** The link that a person clicked. */
function linkOfClick(detail: string): string[] {
  const { url, isMachine } = signsOf('clicked', detailOf({ detail }).metadata);
  return url === null || isMachine ? [] : [linkKey(url)];
}
