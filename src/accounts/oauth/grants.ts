// Grants of OAuth clients. A grant is an API key: the client gets tokens in place of its secret, and everything that applies to keys
// applies to it. A code or refresh token that is used twice has been stolen, so its grant is revoked.
import { Refusal } from '../../contract/refusal.js';
import type { SendPolicy } from '../../contract/send-policy.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { Change, Plan } from '../../database/change.js';
import { update } from '../../database/rows.js';
import { apiKeys } from '../api-keys/api-keys.tables.js';
import { planWorkspaceKey } from '../api-keys/api-keys.js';
import type { CredentialCache } from '../api-keys/credential-cache.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import { hasRole } from '../people/role.rules.js';
import { hashToken } from '../sign-in/tokens.js';
import type { AccountStores } from '../stores.js';
import { refuseOtherResource } from './authorizations.js';
import { OauthError } from './oauth-error.rules.js';
import { challengeOf, hashOauthToken, isSame, planTokens, type IssuedTokens } from './oauth-tokens.js';
import { oauthClients, type OauthCode, oauthCodes, oauthTokens } from './oauth.tables.js';

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
/** A used refresh token is remembered for this long, so that its reuse is noticed. */
const USED_TOKEN_MS = 30 * 86_400_000;
const ENDED_AT_ONCE = 500;
/** The refusal of a commit that came second. */
const TAKEN = { code: 'not_found' } as const;

interface GrantsContext {
  store: Pick<AccountStores, 'commit' | 'oauth' | 'people' | 'accounts'>;
  credentials: Pick<CredentialCache, 'forget'>;
  clock: Clock;
  resource: string;
}

/** The fields of a token or revocation request. */
export type TokenRequest = Readonly<Record<string, string | undefined>>;

export interface Granted extends IssuedTokens {
  permission: string;
}

export class Grants {
  readonly #context: GrantsContext;

  constructor(context: GrantsContext) {
    this.#context = context;
  }

  /** Throws an `OauthError`. */
  async issue(request: TokenRequest, visitor: Visitor): Promise<Granted> {
    refuseOtherResource(request['resource'] ?? null, this.#context.resource);
    const { grant_type: kind } = request;
    if (kind === 'authorization_code') return this.#exchange(request, visitor);
    if (kind === 'refresh_token') return this.#refresh(request);
    throw new OauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
  }

  /** Revokes the grant of either token (RFC 7009). An unknown token counts as revoked. */
  async revoke({ token = '', client_id: clientId = '' }: TokenRequest): Promise<void> {
    const hash = hashOauthToken(token);
    const found = hash === null ? null : await this.#context.store.oauth.token(hash);
    if (found !== null && isSame(found.client_id, clientId))
      await this.#revokeGrant(found.api_key_id, 'request');
  }

  /** Revokes grants whose client has not returned for so long that no token works. */
  async endUnused(): Promise<void> {
    const { store, clock } = this.#context;
    for (;;) {
      const ids = await store.oauth.endedGrants(clock(), ENDED_AT_ONCE);
      if (ids.length > 0) await this.#revokeAll(ids);
      if (ids.length < ENDED_AT_ONCE) return;
    }
  }

  async #exchange(request: TokenRequest, visitor: Visitor): Promise<Granted> {
    const { code = '', code_verifier: verifier = '' } = request;
    const codeHash = hashToken(code);
    const found = codeHash === null ? null : await this.#context.store.oauth.code(codeHash);
    if (found === null) throw new OauthError('invalid_grant', 'The code is unknown.');
    if (found.api_key_id !== null) return this.#refuseUsed(found.api_key_id, 'code');
    if (found.expires_at <= this.#context.clock())
      throw new OauthError('invalid_grant', 'The code has expired.');
    const isRight =
      isSame(found.client_id, request['client_id'] ?? '') &&
      isSame(found.redirect_uri, request['redirect_uri'] ?? '') &&
      VERIFIER.test(verifier) &&
      isSame(found.code_challenge, challengeOf(verifier));
    if (!isRight) {
      throw new OauthError(
        'invalid_grant',
        'client_id, redirect_uri or code_verifier does not match the code.',
      );
    }
    return this.#grant(found, visitor);
  }

  async #grant(found: OauthCode, visitor: Visitor): Promise<Granted> {
    const { store, clock } = this.#context;
    const { user_id: userId, workspace_id: workspaceId, client_id: clientId, permission, mode } = found;
    // The person who approved may have lost the role since.
    const reach = await store.people.reach(userId, { workspaceId, mode });
    const user = await store.people.user(userId);
    if (!reach || !user || !hasRole(reach.role, 'admin')) {
      throw new OauthError('invalid_grant', 'The person who approved may no longer connect applications.');
    }
    const now = clock();
    const key = {
      environmentId: reach.environmentId,
      mode,
      name: found.client_name,
      permission,
      policy: found.policy === null ? null : (JSON.parse(found.policy) as SendPolicy), // written by `approve`
      maker: { id: userId, email: user.email },
      oauthClientId: clientId,
    };
    const { id: keyId, plan } = planWorkspaceKey(reach.workspaceId, key, now);
    const { plan: tokenPlan, issued, endsAt } = planTokens({ keyId, clientId }, now);
    const isKept = await this.#commitOnce([
      update(oauthCodes, {
        set: { api_key_id: keyId },
        where: { code_hash: found.code_hash, api_key_id: null },
        otherwise: TAKEN,
      }),
      ...plan,
      ...tokenPlan,
      update(oauthClients, { set: { expires_at: endsAt }, where: { id: clientId } }),
      ...auditEntries({
        organizationIds: [reach.organizationId],
        action: 'oauth.connect',
        actor: { kind: 'user', id: userId },
        targetId: keyId,
        detail: { client_id: clientId, permission, mode },
        visitor,
        now,
      }),
    ]);
    if (isKept) return { ...issued, permission };
    const taken = (await store.oauth.code(found.code_hash))?.api_key_id ?? null;
    return this.#refuseUsed(taken, 'code');
  }

  async #refresh(request: TokenRequest): Promise<Granted> {
    const { store, clock } = this.#context;
    const hash = hashOauthToken(request['refresh_token'] ?? '');
    const found = hash === null ? null : await store.oauth.token(hash);
    const now = clock();
    const isRight =
      found?.kind === 'refresh' &&
      found.expires_at > now &&
      isSame(found.client_id, request['client_id'] ?? '');
    if (!isRight) throw new OauthError('invalid_grant', 'The refresh token is unknown or has expired.');
    const { api_key_id: keyId, client_id: clientId } = found;
    if (found.is_used === 1) return this.#refuseUsed(keyId, 'refresh token');
    const credential = await store.accounts.credential(keyId);
    if (credential === null) throw new OauthError('invalid_grant', 'The grant was revoked.');
    const { plan, issued, endsAt } = planTokens({ keyId, clientId }, now);
    const isKept = await this.#commitOnce([
      update(oauthTokens, {
        set: { is_used: 1, expires_at: Math.min(found.expires_at, now + USED_TOKEN_MS) },
        where: { token_hash: found.token_hash, is_used: 0 },
        otherwise: TAKEN,
      }),
      ...plan,
      update(oauthClients, { set: { expires_at: endsAt }, where: { id: clientId } }),
    ]);
    if (isKept) return { ...issued, permission: credential.permission };
    return this.#refuseUsed(keyId, 'refresh token');
  }

  /** Returns false if another request has used the code or token at the same time. */
  async #commitOnce(plan: Plan): Promise<boolean> {
    try {
      await this.#context.store.commit(plan);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== TAKEN.code) throw error;
      return false;
    }
  }

  async #refuseUsed(keyId: string | null, what: string): Promise<never> {
    if (keyId !== null) await this.#revokeGrant(keyId, 'reuse');
    throw new OauthError('invalid_grant', `The ${what} was used before, so the grant was revoked.`);
  }

  async #revokeGrant(keyId: string, reason: 'reuse' | 'request'): Promise<void> {
    const { store, clock } = this.#context;
    const credential = await store.accounts.credential(keyId);
    if (credential === null) return;
    const entries = auditEntries({
      organizationIds: [credential.scope.organizationId],
      action: 'oauth.disconnect',
      actor: null,
      targetId: keyId,
      detail: { reason },
      visitor: null,
      now: clock(),
    });
    await this.#revokeAll([keyId], entries);
  }

  async #revokeAll(ids: readonly string[], entries: readonly Change[] = []): Promise<void> {
    const set = { revoked_at: this.#context.clock() };
    await this.#context.store.commit([
      update(apiKeys, { set, where: { id: ids, revoked_at: null } }),
      ...entries,
    ]);
    for (const id of ids) this.#context.credentials.forget(id);
  }
}
