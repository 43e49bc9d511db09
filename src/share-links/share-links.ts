// Share links: made for something of a scope, ended before their time, and opened by whoever has the link.
import type { ShareTarget } from './share-link.schema.js';
import { Refusal } from '../contract/refusal.js';
import { readShareToken, shareToken } from './share-token.rules.js';
import type { TokenKey } from '../lib/tokens/signed-token.js';
import type { Clock } from '../lib/runtime/clock.js';
import { newId } from '../lib/runtime/ids.js';
import type { Scope } from '../database/scope.js';
import type { ShareLinkStores } from './stores.js';
import { type ShareLink, shareLinks } from './share-links.tables.js';
import { insert, update } from '../database/rows.js';

const DAY_MS = 86_400_000;
/** Links of one target that work at a time. */
const MOST_OPEN = 100;

export interface ShareLinkDeps {
  store: Pick<ShareLinkStores, 'shareLinks' | 'accounts' | 'commit'>;
  tokenKeys: { active: TokenKey; all: readonly TokenKey[] };
  /** Without a slash at its end. */
  publicUrl: string;
  clock: Clock;
}

export interface ShareRequest {
  target: ShareTarget;
  targetId: string;
  /** The owner of the target. */
  subTenantId: string | null;
  days: number;
  includeContent: boolean;
}

export type ShareLinks = ReturnType<typeof createShareLinks>;

export function createShareLinks({ store, tokenKeys, publicUrl, clock }: ShareLinkDeps) {
  return {
    /** Refused with `conflict` when the target has too many links that work. */
    async share(scope: Scope, request: ShareRequest): Promise<{ link: ShareLink; url: string }> {
      const now = clock();
      const { target, targetId, subTenantId, days, includeContent } = request;
      if ((await store.shareLinks.countOpen(scope.environmentId, targetId, now)) >= MOST_OPEN) {
        throw new Refusal(
          'conflict',
          `You have reached the limit of ${MOST_OPEN} active share links. Revoke one first.`,
        );
      }
      const link: ShareLink = {
        id: newId('shr', now),
        environment_id: scope.environmentId,
        sub_tenant_id: subTenantId,
        target,
        target_id: targetId,
        include_content: includeContent ? 1 : 0,
        created_at: now,
        expires_at: now + days * DAY_MS,
        revoked_at: null,
      };
      await store.commit([insert(shareLinks, { row: link })]);
      return { link, url: `${publicUrl}/share/${shareToken(link.id, tokenKeys.active)}` };
    },

    /** Revokes the link: it opens nothing any more. Refused with `not_found`; a second call changes nothing. */
    async revoke(scope: Scope, id: string): Promise<void> {
      const link = await store.shareLinks.shareLink(scope, id);
      if (!link) throw new Refusal('not_found');
      await store.commit([
        update(shareLinks, { set: { revoked_at: clock() }, where: { id, revoked_at: null } }),
      ]);
    },

    isSigned: (token: string): boolean => readShareToken(token, tokenKeys.all) !== null,

    /** Link of a token, and the scope of its content; null when the token is unknown, or the link has ended. */
    async open(token: string): Promise<{ link: ShareLink; scope: Scope } | null> {
      const id = readShareToken(token, tokenKeys.all);
      const link = id === null ? null : await store.shareLinks.openLink(id, clock());
      const place = link && (await store.accounts.environment(link.environment_id));
      return link && place && { link, scope: { ...place, subTenantId: null } };
    },
  };
}
