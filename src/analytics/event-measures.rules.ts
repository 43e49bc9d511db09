// Measures: the counters that a message event adds to, and the rates computed from the sums.
import type { Measure, Sums } from './analytics.schema.js';
import { BOUNCE_CATEGORIES, type BounceCategory, type TrailEvent } from '../contract/names.js';
import { bounceType } from '../outbound/outcome/bounce-class.rules.js';
import { share } from '../contract/rates.js';

/** The earlier opens and clicks of one message, by recipients and by machines. */
export interface EngagedBefore {
  opens: number;
  machineOpens: number;
  clicks: number;
  machineClicks: number;
}

interface MeasuredEvent {
  event: TrailEvent;
  /** For an open or a click: whether the client is a known bot. */
  isMachine: boolean;
  /** For a bounce: whether the address does not accept mail. */
  isHard: boolean;
  /** For a suppression: whether this message, which was sent, caused it. */
  isListing: boolean;
  /** The message has had such an event before. */
  isRepeated: boolean;
  before: EngagedBefore;
}

/** The part of an event's metadata that is read. */
export interface EventSigns {
  isMachine: boolean;
  isHard: boolean;
  isListing: boolean;
  /** The link that was clicked. */
  url: string | null;
  /** For a bounce; `unknown` without a reason. */
  category: BounceCategory;
}

/** Events that a measure counts separately. */
const PLAIN = ['queued', 'sent', 'delivered', 'deferred', 'failed', 'canceled', 'suppressed'] as const;
const ENGAGEMENTS = ['opened', 'clicked'] as const;
/** A message counts once in these, even if its trail has several such events. */
const ONCE = ['bounced', 'complained', 'unsubscribed', 'received'] as const;
type Once = (typeof ONCE)[number];
const COUNTED = [...PLAIN, ...ENGAGEMENTS, ...ONCE];
const NO_SIGNS: EventSigns = {
  isMachine: false,
  isHard: false,
  isListing: false,
  url: null,
  category: 'unknown',
};

function isCounted(event: TrailEvent): event is (typeof COUNTED)[number] {
  return COUNTED.some((counted) => counted === event);
}

/** Whether an event counts only the first time that its message has it. */
export function countsOnce(event: TrailEvent): event is Once {
  return ONCE.includes(event as Once);
}

/** Whether the event is an open or a click. */
export function isEngagement(event: TrailEvent): event is (typeof ENGAGEMENTS)[number] {
  return ENGAGEMENTS.includes(event as (typeof ENGAGEMENTS)[number]);
}

/** Whether an event's metadata says more than its name does. */
export function hasSigns(event: TrailEvent): boolean {
  return isEngagement(event) || event === 'bounced' || event === 'suppressed';
}

/** Reads the signs in an event's metadata. An erased event has none and counts as a person's. */
export function readSigns(event: TrailEvent, metadata: Record<string, unknown> | undefined): EventSigns {
  if (!metadata) return NO_SIGNS;
  const { machine, url, type, category, added } = metadata;
  return {
    isMachine: isEngagement(event) && machine === true,
    isHard: event === 'bounced' && (type === undefined ? isHardCategory(category) : type === 'hard'),
    isListing: event === 'suppressed' && added === true,
    url: event === 'clicked' && typeof url === 'string' ? url : null,
    category: BOUNCE_CATEGORIES.find((known) => known === category) ?? 'unknown',
  };
}

function isHardCategory(category: unknown): boolean {
  return bounceType(category as BounceCategory) === 'hard'; // anything else than the hard ones is soft
}

/**
 * Returns the measures that an event increases by one. `opened` and `clicked` count messages, once each, that a person opened or
 * clicked in; a click implies an open, because programs that show no pictures report none. `opens` and `clicks` count all events of
 * people. The `machine_` measures count those of bots, for which a click does not imply an open. For `received`, the message is the
 * one that was answered.
 */
export function measuresForEvent(fact: MeasuredEvent): readonly Measure[] {
  const { event, isMachine, before } = fact;
  if (!isCounted(event)) return [];
  switch (event) {
    case 'opened': {
      if (isMachine)
        return before.machineOpens === 0 ? ['machine_opens', 'machine_opened'] : ['machine_opens'];
      return isFirstSign(before) ? ['opens', 'opened'] : ['opens'];
    }
    case 'clicked': {
      if (isMachine) {
        return before.machineClicks === 0 ? ['machine_clicks', 'machine_clicked'] : ['machine_clicks'];
      }
      const clicks: Measure[] = before.clicks === 0 ? ['clicks', 'clicked'] : ['clicks'];
      return isFirstSign(before) ? [...clicks, 'opened'] : clicks;
    }
    case 'bounced': {
      if (fact.isRepeated) return [];
      return fact.isHard ? ['bounced', 'hard_bounced'] : ['bounced'];
    }
    case 'complained':
    case 'unsubscribed':
      return fact.isRepeated ? [] : [event];
    case 'received':
      return fact.isRepeated ? [] : ['replied'];
    case 'queued':
    case 'sent':
    case 'delivered':
    case 'deferred':
    case 'failed':
    case 'canceled':
      return [event];
    case 'suppressed':
      return fact.isListing ? [] : [event];
  }
}

function isFirstSign(before: EngagedBefore): boolean {
  return before.opens === 0 && before.clicks === 0;
}

interface Rates {
  delivery: number | null;
  open: number | null;
  click: number | null;
  click_to_open: number | null;
  bounce: number | null;
  complaint: number | null;
  unsubscribe: number | null;
}

/** Computes rates, rounded to six decimal places; `null` if the denominator is 0. */
export function computeRates(sums: Sums): Rates {
  return {
    delivery: share(sums.delivered, sums.sent),
    open: share(sums.opened, sums.delivered),
    click: share(sums.clicked, sums.delivered),
    click_to_open: share(sums.clicked, sums.opened),
    bounce: share(sums.bounced, sums.sent),
    complaint: share(sums.complained, sums.delivered),
    unsubscribe: share(sums.unsubscribed, sums.delivered),
  };
}
