// A company's mail of a year in small: everything that a page of the dashboard can show, made through the public API (but for the
// counters of the past), in the live environment and in the sandbox.
import {
  addKeys,
  addPeople,
  addSecondWorkspace,
  addShareLinks,
  addWebhooks,
  settleWebhooks,
  type AccountIds,
} from './dashboard/account.js';
import { addAudience, addTransfers, type AudienceIds } from './dashboard/audience.js';
import { addCampaigns, addSequences, type CampaignIds, type SequenceIds } from './dashboard/campaigns.js';
import { COMPANY } from './dashboard/company.js';
import { groundOf } from './dashboard/ground.js';
import { addHistory } from './dashboard/history.js';
import {
  addLiveMail,
  addSandboxMail,
  addTemplates,
  type MailIds,
  type TemplateIds,
} from './dashboard/mail.js';
import type { DashboardProgram } from './dashboard/program.js';
import { addSenders, type SenderIds } from './dashboard/senders.js';
import { addTenants, type TenantIds } from './dashboard/tenants.js';

export interface DashboardWorld extends AccountIds {
  workspaceId: string;
  senders: SenderIds;
  templates: TemplateIds;
  audience: AudienceIds;
  /** Messages by what became of them. */
  live: MailIds['messages'];
  sandbox: MailIds;
  campaigns: CampaignIds;
  sequences: SequenceIds;
  tenants: TenantIds;
}

/** Fills the first workspace of a program that has just started. */
export async function fillWorld(program: DashboardProgram): Promise<DashboardWorld> {
  const ground = groundOf(program);
  const workspaceId = program.appliance.keys.workspace_id;
  await ground.live.organization.update({ name: COMPANY.name, postal_address: COMPANY.postalAddress });
  await ground.live.workspaces.update(workspaceId, { name: 'Fernhill' });
  const { secondWorkspaceId } = await addPeople(ground);
  const senders = await addSenders(ground);
  const webhooks = await addWebhooks(ground);
  const templates = await addTemplates(ground);
  const mailToMany = async () => {
    const audience = await addAudience(ground);
    const made = { templates, lists: audience };
    const sequences = await addSequences(ground, made);
    return { audience, sequences, campaigns: await addCampaigns(ground, made) };
  };
  const [tenants, { audience, sequences, campaigns }] = await Promise.all([addTenants(ground), mailToMany()]);
  addHistory(ground, tenants);
  const live = await addLiveMail(ground, templates);
  const sandbox = await addSandboxMail(ground);
  await addKeys(ground, tenants.good);
  await addTransfers(ground, audience);
  await addShareLinks(ground, {
    messageId: live['delivered'] ?? '',
    senderId: senders.pending,
    tenantId: tenants.pending,
  });
  await addSecondWorkspace(ground, secondWorkspaceId);
  await settleWebhooks(ground, webhooks);
  return {
    ...{ workspaceId, secondWorkspaceId, senders, webhooks, templates, audience, live },
    ...{ sandbox, campaigns, sequences, tenants },
  };
}
