// Chooses the side of a message on a route with a share. A side that was used or stored before is kept.
import type { RouteSide } from '../../contract/names.js';
import type { Claim } from '../schedule/queue.store.js';
import type { CurrentShare } from './current-shares.js';
import { dependsOnEngagement, positionOf, sideOf, type ShareChoice } from './share.rules.js';

/** Says which recipients respond to mail. */
export interface Engagement {
  /** Whether the recipient opened, clicked or replied to mail of the environment recently. */
  isEngaged(recipient: { environmentId: number; addressKey: string }): Promise<boolean>;
  /** Share (0 to 1) of the newest mail that went to engaged recipients; 0 if there is too little mail. */
  shareOfMail(): Promise<number>;
}

type SidedClaim = Pick<Claim, 'environmentId' | 'subTenantId' | 'toKey' | 'side' | 'provider'>;

export class SideChooser {
  readonly #engagement: Pick<Engagement, 'isEngaged'>;

  constructor(engagement: Pick<Engagement, 'isEngaged'>) {
    this.#engagement = engagement;
  }

  /** Returns a promise only if the recipient's engagement decides. */
  choose(claim: SidedClaim, { route, percent, bounds }: CurrentShare): ShareChoice | Promise<ShareChoice> {
    const { environmentId, subTenantId, toKey: addressKey } = claim;
    const position = positionOf({ environmentId, tenantKey: subTenantId ?? '', addressKey });
    const isOpen = dependsOnEngagement(position, bounds);
    const kept = keptSide(claim);
    if (kept !== null) {
      const isUnchanged = kept === sideOf(position, false, bounds);
      const reason = isOpen ? 'engagement' : isUnchanged ? 'position' : 'kept';
      return { route, percent, side: kept, reason };
    }
    if (!isOpen) return { route, percent, side: sideOf(position, false, bounds), reason: 'position' };
    return this.#engagement.isEngaged({ environmentId, addressKey }).then((isEngaged) => {
      return { route, percent, side: sideOf(position, isEngaged, bounds), reason: 'engagement' };
    });
  }
}

/** The side of earlier attempts, or of the queue. */
function keptSide({ side, provider }: SidedClaim): RouteSide | null {
  if (side !== null) return side;
  if (provider === 'mta') return 'direct';
  return provider === 'smarthost' ? 'smarthost' : null;
}
