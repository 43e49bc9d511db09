// The message rig with the routes of lists and sign-up in front of the same store.
import { createCursors } from '../../src/api/cursors.js';
import { createApiServer } from '../../src/app/http-server.js';
import { listMemberRoutes } from '../../src/lists/members.routes.js';
import { listRoutes } from '../../src/lists/lists.routes.js';
import { subscribeRoutes } from '../../src/lists/sign-up/subscribe.routes.js';
import { listFormKeyRoutes } from '../../src/lists/form-key.routes.js';
import { createSignUpLimit } from '../../src/lists/sign-up/sign-up-limit.pages.js';
import { createLooks } from '../../src/pages/look.pages.js';
import { signUpRoutes } from '../../src/lists/sign-up/sign-up.pages.js';
import { subscribeFormRoutes } from '../../src/lists/sign-up/subscribe-form.pages.js';
import type { Mode } from '../../src/contract/names.js';
import { addressKey } from '../../src/lib/mime/address.js';
import { newId } from '../../src/lib/runtime/ids.js';
import { createLog } from '../../src/lib/runtime/log.js';
import { createCredentialCache } from '../../src/accounts/api-keys/credential-cache.js';
import { createListMembers } from '../../src/lists/members.js';
import { createSegmentCounts } from '../../src/lists/segment-counts.js';
import { createSignUp } from '../../src/lists/sign-up/sign-up.js';
import { createLeaveList } from '../../src/lists/preferences/unsubscribe.js';
import { createOpenTokens, createSealToken } from '../../src/messages/rendering/mailed-links.js';
import { createUnsolicitedMailLimit } from '../../src/messages/system-mail/unsolicited-mail.js';
import { MASTER_KEY, startMessageRig, TOKEN_KEY } from './message-rig.js';
import { CAMPAIGN } from './audience-rows.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export interface ListAnswer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // the tests read many shapes; each says what it expects
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
}

export type ListRig = Awaited<ReturnType<typeof startListRig>>;

/** With a default sender, so that confirmations can be sent. */
export async function startListRig(options: { signUpsPerMinute?: number } = {}) {
  const rig = await startMessageRig();
  await rig.addSender({ identity: 'hello@sender.example', is_default: 1 });
  const { store, submission, config } = rig;
  const clock = rig.clock.now;
  const log = createLog('silent');
  const signUp = createSignUp({
    store,
    submission,
    clock,
    log,
    publicUrl: config.publicUrl,
    tokenKeys: { active: TOKEN_KEY, all: [TOKEN_KEY] },
    seal: createSealToken(MASTER_KEY),
    count: createUnsolicitedMailLimit(MASTER_KEY),
    confirmationLifetimeMs: 7 * 86_400_000,
  });
  const limit = createSignUpLimit(options.signUpsPerMinute ?? 0, clock);
  const segmentCounts = createSegmentCounts({ store, clock, log });
  const leaveList = createLeaveList({ store, clock, wakeUps: { events: () => undefined } });
  const members = createListMembers({ store, clock });
  const lookOf = createLooks(store);
  const app = await createApiServer({
    store,
    clock,
    log,
    wakeUps: { events: () => undefined },
    credentials: createCredentialCache(store, { ttlMs: 5000 }),
    settings: { ...config, trustedProxies: [] },
    masterKey: Buffer.alloc(32, 3),
    cursors: createCursors(Buffer.alloc(32, 5)),
    tokenKeys: [TOKEN_KEY],
    routes: [
      (api) => listRoutes(api, { store, segmentCounts, signUp, clock }),
      (api) => listFormKeyRoutes(api, { store, signUp, clock }),
      (api) => listMemberRoutes(api, { store, members }),
      (api) => subscribeRoutes(api, { store, signUp }),
      (api) => subscribeFormRoutes(api, { signUp, limit, lookOf }),
      (api) => signUpRoutes(api, { signUp, limit, lookOf }),
    ],
  });
  await app.ready();

  async function ask(
    method: string,
    url: string,
    request: {
      key?: string;
      body?: unknown;
      form?: Record<string, string> | URLSearchParams;
      headers?: Record<string, string>;
      ip?: string;
    } = {},
  ): Promise<ListAnswer> {
    const payload = request.form ? new URLSearchParams(request.form).toString() : request.body;
    const response = await app.inject({
      method: method as 'GET',
      url,
      ...(request.ip === undefined ? {} : { remoteAddress: request.ip }),
      headers: {
        ...(request.key === '' ? {} : { authorization: `Bearer ${request.key ?? rig.keys.live}` }),
        ...(request.form ? FORM : {}),
        ...request.headers,
      },
      ...(payload === undefined ? {} : { payload: payload as object }),
    });
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      json: isJson ? (JSON.parse(response.body) as unknown) : null,
    };
  }

  return {
    ...rig,
    ask,
    /** A kept text as its recipient has it. */
    opened: (text: string, email: string) => createOpenTokens(MASTER_KEY)(text, addressKey(email)),
    /** With the routes of messages. */
    rigAsk: (method: string, url: string) => rig.ask(method, url, { key: rig.keys.live }),
    signUp,

    /** The recipient of a campaign's message leaves its list. */
    leave: (messageId: string) => leaveList(messageId, {}),

    async addList(fields: Record<string, unknown> = {}, key?: string): Promise<string> {
      const answer = await ask('POST', '/v1/lists', {
        ...(key === undefined ? {} : { key }),
        body: { name: 'News', ...fields },
      });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.json.id as string;
    },

    /** A message that looks as if a campaign to the list had made it; its unsubscribe token's id. */
    async campaignMessage(
      listId: string,
      to: string,
      mode: Mode = 'live',
    ): Promise<{ id: string; campaignId: string }> {
      const { environmentId } = await rig.scopeOf(mode);
      const list = await store.lists.listOf(listId);
      if (!list) throw new Error('no such list');
      const campaignId = newId('cmp', clock());
      await rig.commit({
        kind: 'insert',
        into: 'campaigns',
        row: { ...CAMPAIGN, id: campaignId, environment_id: environmentId, list_number: list.number },
      });
      const answer = await rig.send(
        { to, html: '<p><a href="https://shop.example/">Shop</a></p>' },
        {},
        rig.keys[mode],
      );
      await rig.raw('UPDATE messages SET campaign_id = ? WHERE public_id = ?', [campaignId, answer.json.id]);
      return { id: answer.json.id, campaignId };
    },

    async close(): Promise<void> {
      await segmentCounts.stop();
      await app.close();
      await rig.close();
    },
  };
}
