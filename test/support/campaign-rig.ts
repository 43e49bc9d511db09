// Campaigns on a real database file with the real renderer, driven run by run; nothing is delivered.
import type { Mode } from '../../src/contract/names.js';
import { addressKey } from '../../src/lib/mime/index.js';
import { compilePlans } from '../../src/accounts/quota.rules.js';
import { readShipped } from '../../src/settings/shipped.js';
import { createLog, newId } from '../../src/lib/runtime/index.js';
import type { DividedRoom } from '../../src/lib/concurrency/index.js';
import type { CampaignContext } from '../../src/campaigns/context.js';
import { Campaigns } from '../../src/campaigns/run/campaigns.js';
import { CampaignRunner } from '../../src/campaigns/run/runner.js';
import { createQuotaCheck } from '../../src/messages/accept/quota-check.js';
import { startMessageRig, TOKEN_KEY, type Beside } from './message-rig.js';
import { CAMPAIGN, LIST } from './audience-rows.js';
import { CONSENT } from './consent.js';
import { type Campaign, type CampaignTable, campaigns } from '../../src/campaigns/campaigns.tables.js';
import { organizations } from '../../src/accounts/accounts.tables.js';
import { update, insert } from '../../src/database/rows.js';
import { contactLists } from '../../src/contacts/lists/lists.tables.js';
import { putContact, joinList } from '../../src/contacts/contact-changes.store.js';

export type CampaignRig = Awaited<ReturnType<typeof startCampaignRig>>;

export async function startCampaignRig(options: Beside = {}) {
  const rig = await startMessageRig(options);
  await rig.commit(
    update(organizations, { set: { postal_address: 'Sender Ltd, 1 High Street, Bremen' }, where: {} }),
  );

  /** What campaigns work with; `over` replaces parts of it. */
  function context(over: Partial<CampaignContext> = {}): CampaignContext {
    const { store, renderer, submission, config, clock } = rig;
    const plans = compilePlans(readShipped('plans'));
    return {
      ...{ store, renderer, submission, plans, tokenKey: TOKEN_KEY, clock: clock.now },
      quota: createQuotaCheck(plans),
      config: { ...config, campaignIntervalMs: 1000, campaignBatch: 20 },
      log: createLog('silent'),
      wakeUps: {
        queue: (mailQueues: readonly number[]) => void rig.woken.queueIds.push(...mailQueues),
        events: () => undefined,
      },
      ...over,
    };
  }

  function open(campaignBatch = 20, room?: DividedRoom): { campaigns: Campaigns; runner: CampaignRunner } {
    const own = context({ room });
    const batches = { ...own, config: { ...own.config, campaignBatch } };
    return { campaigns: new Campaigns(batches), runner: new CampaignRunner(batches) };
  }

  /** A list with these contacts on it: their addresses, or address and more. */
  async function addList(
    contacts: readonly (string | { email: string; tags?: string[]; name?: string; metadata?: object })[],
    subTenantId: string | null = null,
    mode: Mode = 'test',
  ): Promise<{ id: string; number: number }> {
    const now = rig.clock.now();
    const id = newId('lst', now);
    const { environmentId } = await rig.scopeOf(mode);
    await rig.commit(
      insert(contactLists, {
        row: {
          ...LIST,
          id,
          environment_id: environmentId,
          sub_tenant_id: subTenantId,
          name: 'Readers',
          created_at: now,
          updated_at: now,
        },
      }),
    );
    const list = await rig.store.lists.list({ environmentId, subTenantId }, id);
    if (!list) throw new Error('The list is not there.');
    for (const one of contacts) {
      const given = typeof one === 'string' ? { email: one } : one;
      const { email, tags = [], name = null, metadata = {} } = given;
      const contactId = newId('cnt', now);
      await rig.commit(
        putContact({
          ifKnown: 'ignore',
          row: {
            id: contactId,
            environment_id: environmentId,
            sub_tenant_id: subTenantId,
            email,
            email_key: addressKey(email),
            name,
            phone: null,
            tags: JSON.stringify(tags),
            metadata: JSON.stringify(metadata),
            status: 'active',
            created_at: now,
            updated_at: now,
          },
        }),
        joinList({
          listNumber: list.number,
          contactId,
          state: 'subscribed',
          returned: false,
          consent: CONSENT,
          at: now,
        }),
      );
    }
    return { id, number: list.number };
  }

  async function addCampaign(
    fields: Partial<CampaignTable> & { list_number: number; template_id: string },
  ): Promise<string> {
    const now = rig.clock.now();
    const id = newId('cmp', now);
    const { environmentId } = await rig.scopeOf('test');
    await rig.commit(
      insert(campaigns, {
        row: {
          ...CAMPAIGN,
          status: 'draft',
          id,
          environment_id: environmentId,
          created_at: now,
          updated_at: now,
          ...fields,
        },
      }),
    );
    return id;
  }

  async function read(id: string): Promise<Campaign> {
    const campaign = await rig.store.campaigns.campaign(await rig.scopeOf('test'), id);
    if (!campaign) throw new Error(`There is no campaign ${id}.`);
    return campaign;
  }

  /** Beats until nothing more can be done now. */
  async function runToEnd(runner: CampaignRunner): Promise<void> {
    const never = new AbortController().signal;
    for (let run = 0; run < 1000; run++) if (!(await runner.run(never))) return;
    throw new Error('The campaigns do not come to rest.');
  }

  return { ...rig, rig, context, open, addList, addCampaign, read, runToEnd };
}
