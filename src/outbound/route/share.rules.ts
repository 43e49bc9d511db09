// Divides the mail of a route between direct delivery and the route's smarthosts. Each recipient has a fixed position among all
// recipients of a sender, and mail to the first positions is delivered directly. Engaged recipients can take precedence.
import { createHash } from 'node:crypto';
import type { RouteSide } from '../../contract/names.js';
import type { AttemptDetail } from '../../messages/attempt.schema.js';
import type { RouteShareRow } from '../outbound.tables.js';
import type { Via } from './egress.rules.js';

/** Positions are whole numbers from 0 up to but not including this one. */
export const POSITIONS = 1_000_000;

/** Positions below these are delivered directly. `engagedBelow` is never less than `othersBelow`. */
export interface ShareBounds {
  /** For recipients who opened, clicked or replied recently. */
  engagedBelow: number;
  othersBelow: number;
}

/** The side of a message, as its attempts record it. */
export type ShareChoice = NonNullable<AttemptDetail['route_share']>;

export interface ShareRecipient {
  environmentId: number;
  /** The sub-tenant that sends; empty for the workspace's own mail. */
  tenantKey: string;
  /** The recipient's address as addresses are compared. */
  addressKey: string;
}

/** Computes the position of a recipient among all recipients of the sender. Positions are distributed evenly. */
export function positionOf({ environmentId, tenantKey, addressKey }: ShareRecipient): number {
  const hash = createHash('sha256').update(`${environmentId} ${tenantKey} ${addressKey}`).digest();
  return Math.floor((hash.readUInt32BE(0) / 2 ** 32) * POSITIONS);
}

/**
 * Computes the bounds for `percent` of the mail, of which the share `engaged` (0 to 1) goes to engaged recipients; 0 if that is not
 * known. Engaged recipients come first. `former` are the bounds of a share that rises: neither bound falls, so no recipient returns to
 * the smarthost.
 */
export function shareBounds(percent: number, engaged: number, former: ShareBounds | null): ShareBounds {
  const share = percent / 100;
  if (share <= 0 || share >= 1 || engaged <= 0 || engaged >= 1) {
    const below = Math.round(Math.min(Math.max(share, 0), 1) * POSITIONS);
    return atLeast({ engagedBelow: below, othersBelow: below }, former);
  }
  const others = Math.max((share - engaged) / (1 - engaged), (former?.othersBelow ?? 0) / POSITIONS);
  const rest = Math.max(share - (1 - engaged) * others, 0);
  const bounds = {
    engagedBelow: Math.round(Math.min(rest / engaged, 1) * POSITIONS),
    othersBelow: Math.round(others * POSITIONS),
  };
  return atLeast(bounds, former);
}

function atLeast({ engagedBelow, othersBelow }: ShareBounds, former: ShareBounds | null): ShareBounds {
  const others = Math.max(othersBelow, former?.othersBelow ?? 0);
  return { engagedBelow: Math.max(engagedBelow, others, former?.engagedBelow ?? 0), othersBelow: others };
}

/** Whether the side of the position depends on the recipient's engagement. */
export function dependsOnEngagement(position: number, { engagedBelow, othersBelow }: ShareBounds): boolean {
  return position >= othersBelow && position < engagedBelow;
}

export function sideOf(position: number, isEngaged: boolean, bounds: ShareBounds): RouteSide {
  return position < (isEngaged ? bounds.engagedBelow : bounds.othersBelow) ? 'direct' : 'smarthost';
}

/** The ways of one side, in their order. */
export function viasOnSide(vias: readonly Via[], side: RouteSide): readonly Via[] {
  return vias.filter(({ kind }) => (kind === 'pool') === (side === 'direct'));
}

/** Counts of messages on the direct side, from which the rates that stop a share are computed. */
export interface DirectCounts {
  sent: number;
  bounced: number;
  complained: number;
}

export const NO_COUNTS: DirectCounts = { sent: 0, bounced: 0, complained: 0 };

/**
 * Returns the row of a share that is used for the first time. `engaged` is the part of the mail that goes to engaged recipients.
 */
export function firstShare(route: string, percent: number, engaged: number, now: number): RouteShareRow {
  const { engagedBelow, othersBelow } = shareBounds(percent, engaged, null);
  return {
    route,
    percent,
    engaged_below: engagedBelow,
    others_below: othersBelow,
    state: 'active',
    reason: '',
    changed_at: now,
    counted_before: JSON.stringify(NO_COUNTS),
  };
}
