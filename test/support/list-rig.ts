// The message rig with lists and sign-up, and a form's way of asking.
import type { Mode } from '../../src/contract/names.js';
import { addressKey } from '../../src/lib/mime/index.js';
import { newId } from '../../src/lib/runtime/index.js';
import { Unsubscribes } from '../../src/lists/preferences/unsubscribe.js';
import { createOpenTokens } from '../../src/lib/secrets/index.js';
import { MASTER_KEY, startMessageRig, type Beside } from './message-rig.js';
import { CAMPAIGN } from './audience-rows.js';
import type { ProgramAnswer } from './program.js';
import { campaigns } from '../../src/campaigns/campaigns.tables.js';
import { insert } from '../../src/database/rows.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export type ListRig = Awaited<ReturnType<typeof startListRig>>;

/** With a default sender, so that confirmations can be sent. */
export async function startListRig({
  signUpsPerMinute = 0,
  beside,
}: { signUpsPerMinute?: number } & Beside = {}) {
  const rig = await startMessageRig({
    settings: { signUpRate: signUpsPerMinute },
    ...(beside ? { beside } : {}),
  });
  await rig.addSender({ identity: 'hello@sender.example', is_default: 1 });
  const { store } = rig;
  const clock = rig.clock.now;
  const listOfCampaign = (id: string) => store.campaigns.listOfCampaign(id);
  const wakeUps = { events: () => undefined };
  const unsubscribes = new Unsubscribes({ store, listOfCampaign, clock, wakeUps });

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
  ): Promise<ProgramAnswer> {
    const { form, body, key = rig.keys.live, headers, ip } = request;
    const payload = form ? new URLSearchParams(form).toString() : body;
    return rig.program.ask(method, url, {
      key,
      headers: { ...(form ? FORM : {}), ...headers },
      ...(payload === undefined ? {} : { body: payload }),
      ...(ip === undefined ? {} : { ip }),
    });
  }

  return {
    ...rig,
    ask,
    /** A kept text as its recipient has it. */
    opened: (text: string, email: string) => createOpenTokens(MASTER_KEY)(text, addressKey(email)),
    /** With the routes of messages. */
    rigAsk: (method: string, url: string) => rig.ask(method, url, { key: rig.keys.live }),

    /** The recipient of a campaign's message leaves its list. */
    leave: (messageId: string) => unsubscribes.leaveList(messageId, {}),

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
      await rig.commit(
        insert(campaigns, {
          row: { ...CAMPAIGN, id: campaignId, environment_id: environmentId, list_number: list.number },
        }),
      );
      const answer = await rig.send(
        { to, html: '<p><a href="https://shop.example/">Shop</a></p>' },
        {},
        rig.keys[mode],
      );
      await rig.raw('UPDATE messages SET campaign_id = ? WHERE public_id = ?', [campaignId, answer.json.id]);
      return { id: answer.json.id, campaignId };
    },
  };
}
