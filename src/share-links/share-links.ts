// Share links of a scope: created, revoked, and opened by anyone who has the link.
import type { ShareTarget } from './share-link.schema.js';
import { Refusal } from '../contract/refusal.js';
import { type Clock, newId } from '../lib/runtime/index.js';
import type { Scope } from '../database/scope.js';
import type { ShareLinkContext } from './context.js';
import { type ShareLink, shareLinks } from './share-links.tables.js';
import { insert, update } from '../database/rows.js';
import { readTextToken, signTextToken, type TokenKey } from '../lib/tokens/index.js';

const DAY_MS = 86_400_000;
/** Active links of one target. */
const MOST_OPEN = 100;

interface ShareRequest {
  target: ShareTarget;
  targetId: string;
  /** Sub-tenant that owns the target. */
  subTenantId: string | null;
  days: number;
  includeContent: boolean;
}

export class ShareLinks {
  readonly #store: ShareLinkContext['store'];
  readonly #tokenKeys: ShareLinkContext['keys']['tokenKeys'];
  readonly #publicUrl: string;
  readonly #clock: Clock;

  constructor({ store, keys, config, clock }: Pick<ShareLinkContext, 'store' | 'keys' | 'config' | 'clock'>) {
    this.#store = store;
    this.#tokenKeys = keys.tokenKeys;
    this.#publicUrl = config.publicUrl;
    this.#clock = clock;
  }

  /** Refused with `conflict` if the target has too many active links. */
  async share(scope: Scope, request: ShareRequest): Promise<{ link: ShareLink; url: string }> {
    const now = this.#clock();
    const { target, targetId, subTenantId, days, includeContent } = request;
    if ((await this.#store.shareLinks.countOpen(scope.environmentId, targetId, now)) >= MOST_OPEN) {
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
    await this.#store.commit([insert(shareLinks, { row: link })]);
    return { link, url: `${this.#publicUrl}/share/${shareToken(link.id, this.#tokenKeys.active)}` };
  }

  /** Deactivates the link. Refused with `not_found`; a second call changes nothing. */
  async revoke(scope: Scope, id: string): Promise<void> {
    const link = await this.#store.shareLinks.shareLink(scope, id);
    if (!link) throw new Refusal('not_found');
    await this.#store.commit([
      update(shareLinks, { set: { revoked_at: this.#clock() }, where: { id, revoked_at: null } }),
    ]);
  }

  isSigned(token: string): boolean {
    return readShareToken(token, this.#tokenKeys.all) !== null;
  }

  /** Returns the link of a token and the scope of its content, or `null` if the link is unknown or has ended. */
  async open(token: string): Promise<{ link: ShareLink; scope: Scope } | null> {
    const id = readShareToken(token, this.#tokenKeys.all);
    const link = id === null ? null : await this.#store.shareLinks.openLink(id, this.#clock());
    const environment = link && (await this.#store.accounts.environment(link.environment_id));
    return link && environment && { link, scope: { ...environment, subTenantId: null } };
  }
}

const SHARE = { label: 'service share', macBytes: 20 };
const LINK = 'shr_';
const ID_LENGTH = 26;

/**
 * Returns the token of a share link: its id and a truncated HMAC-SHA256 in base32, like the tokens of messages
 * (signed-token.ts). Throws a plain Error if `linkId` is not the id of a share link.
 */
function shareToken(linkId: string, key: TokenKey): string {
  if (!linkId.startsWith(LINK) || linkId.length !== LINK.length + ID_LENGTH) {
    throw new Error('not a share link id');
  }
  return signTextToken(SHARE, key, linkId.slice(LINK.length));
}

/** The id of the share link; null for everything that none of the keys signed. */
function readShareToken(token: string, keys: readonly TokenKey[]): string | null {
  const text = readTextToken(SHARE, keys, ID_LENGTH, token);
  return text === null ? null : `${LINK}${text}`;
}
