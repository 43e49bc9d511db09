// Tests grants of connected applications on each engine: several nodes exchange one code or token, and rows expire on time.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { OauthClients } from '../../src/accounts/oauth/clients.js';
import { Authorizations } from '../../src/accounts/oauth/authorizations.js';
import { Grants, type Granted } from '../../src/accounts/oauth/grants.js';
import { planOwner } from '../../src/accounts/people/owner.js';
import { Passwords } from '../../src/accounts/people/passwords.js';
import { createStore, type Store } from '../../src/app/store.js';
import { fixedClock } from '../support/fixed-clock.js';
import { engineKinds, type OpenEngine } from '../support/open-engines.js';

const REDIRECT = 'https://agent.example/callback';
const RESOURCE = 'https://mail.example.test/mcp';
const VERIFIER = 'v'.repeat(43);
const DAY = 86_400_000;
const VISITOR = { ip: null, userAgent: null, requestId: null, browserToken: null };

describe.each(engineKinds())('grants on $name', (kind) => {
  const clock = fixedClock();
  let opened: OpenEngine;
  let stores: Store[];
  let nodes: Grants[];
  let clients: OauthClients;
  let authorizations: Authorizations;
  let approver: { userId: string; workspaceId: string };

  beforeAll(async () => {
    opened = await kind.openMigrated();
    stores = [1, 2].map(() => createStore(opened.engine, { maxGroup: 50 }));
    const [store] = stores as [Store, Store];
    const context = { store, clock: clock.now, resource: RESOURCE };
    const { organizationId, workspaceId } = await bootstrap(store, { clock: clock.now });
    const owner = { email: 'olga@example.com', password: 'the lamp is on the left side', organizationId };
    const { userId, plan } = await planOwner(new Passwords(), owner, clock.now(), null);
    await store.commit(plan);
    approver = { userId, workspaceId };
    const openFetch = () => {
      throw new Error('No client of these tests has a document.');
    };
    clients = new OauthClients({ ...context, openFetch });
    authorizations = new Authorizations({ ...context, clients, issuer: 'https://mail.example.test' });
    const credentials = { forget: () => undefined };
    nodes = stores.map((one) => new Grants({ ...context, store: one, credentials }));
  }, 120_000);

  afterAll(async () => {
    for (const store of stores) await store.drain();
    await opened.close();
  });

  async function approved() {
    const { client } = await clients.register({ redirect_uris: [REDIRECT] }, '192.0.2.1');
    const query = new URLSearchParams({
      ...{
        response_type: 'code',
        client_id: client.id,
        redirect_uri: REDIRECT,
        code_challenge_method: 'S256',
      },
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    });
    const choice = { ...approver, mode: 'live', permission: 'read', policy: null } as const;
    const { redirectTo } = await authorizations.approve(query.toString(), choice);
    const code = new URL(redirectTo).searchParams.get('code') ?? '';
    return { client_id: client.id, redirect_uri: REDIRECT, code, code_verifier: VERIFIER };
  }

  const keysLeft = async (): Promise<number> =>
    (
      await opened.engine.rows(
        'SELECT id FROM api_keys WHERE oauth_client_id IS NOT NULL AND revoked_at IS NULL',
        [],
      )
    ).length;

  /** Sends a request to all nodes at the same time; returns the grants. */
  async function onAllNodes(request: Record<string, string>): Promise<Granted[]> {
    const answers = await Promise.allSettled(nodes.map((node) => node.issue(request, VISITOR)));
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'invalid_grant' });
    }
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  it('are given once for a code, and revoked by the request that comes second', async () => {
    const before = await keysLeft();
    const granted = await onAllNodes({ grant_type: 'authorization_code', ...(await approved()) });
    expect(granted).toHaveLength(1);
    expect(await keysLeft()).toBe(before);
  });

  it('are refreshed once by a token, and revoked by the request that comes second', async () => {
    const { client_id, ...rest } = await approved();
    const first = await nodes[0]?.issue({ grant_type: 'authorization_code', client_id, ...rest }, VISITOR);
    const refresh = { grant_type: 'refresh_token', client_id, refresh_token: first?.refreshToken ?? '' };
    expect(await onAllNodes(refresh)).toHaveLength(1);
    expect(await keysLeft()).toBe(0);
  });

  it('end with their last token, and the rows of clients, codes and tokens with their time', async () => {
    const [store] = stores as [Store, Store];
    await nodes[0]?.issue({ grant_type: 'authorization_code', ...(await approved()) }, VISITOR);
    await approved();
    await nodes[1]?.endUnused();
    expect(await keysLeft()).toBe(1);
    clock.advance(90 * DAY);
    await nodes[1]?.endUnused();
    expect(await keysLeft()).toBe(0);
    const { clients: forgetClients, codes, tokens } = store.oauth.forgetEnded;
    for (const forget of [forgetClients, codes, tokens]) {
      expect(await forget(clock.now(), 1)).toBe(1);
      expect(await forget(clock.now(), 500)).toBeGreaterThan(0);
      expect(await forget(clock.now(), 500)).toBe(0);
    }
  });

  it('need a client, of which a network and all networks have a limited number', async () => {
    const [store] = stores as [Store, Store];
    const register = (ip: string) => clients.register({ redirect_uris: [REDIRECT] }, ip);
    for (let i = 0; i < 50; i++) await register('192.0.2.7');
    await expect(register('192.0.2.7')).rejects.toThrow('too many clients');
    await register('192.0.2.8');
    expect(await store.oauth.firstClientToEnd(52)).toBeNull();
    expect(await store.oauth.firstClientToEnd(51)).toMatch(/^ocl_/);
  });
});
