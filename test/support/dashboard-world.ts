// A small version of a company's mail of a year, with everything that a page of the dashboard can show, created through the
// public API (except for past counters), in the live environment and in the sandbox.
import { rmSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addApprovals,
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
import { startDashboardProgram, type DashboardProgram, type ProgramOptions } from './dashboard/program.js';
import { addSenders, type SenderIds } from './dashboard/senders.js';
import { addTenants, type TenantIds } from './dashboard/tenants.js';

export interface DashboardWorld extends AccountIds {
  workspaceId: string;
  senders: SenderIds;
  templates: TemplateIds;
  audience: AudienceIds;
  /** Messages by outcome. */
  live: MailIds['messages'];
  sandbox: MailIds;
  campaigns: CampaignIds;
  sequences: SequenceIds;
  tenants: TenantIds;
  /** Of a message that waits for approval. */
  approvalId: string;
}

/** A filled program that has ended, and its surrounding servers. */
interface FilledFolder extends Required<Pick<ProgramOptions, 'dataDir' | 'port' | 'keys' | 'around'>> {
  world: DashboardWorld;
}

let filled: Promise<FilledFolder> | null = null;

/** Filled once per worker, because that takes eight seconds of a core, and removed at its end. */
async function makeFilledFolder(): Promise<FilledFolder> {
  const dataDir = await mkdtemp(join(tmpdir(), 'mailkeel-filled-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const program = await startDashboardProgram({ dataDir });
  const { appliance, around } = program;
  try {
    const world = await fillWorld(program);
    await appliance.end();
    return { dataDir, port: appliance.port, keys: appliance.keys, around, world };
  } catch (error) {
    await program.close();
    throw error;
  }
}

/** Starts a program on a copy of the filled folder. Only one at a time, because all use the address in their pages and mails. */
export async function startFilledProgram(): Promise<{ program: DashboardProgram; world: DashboardWorld }> {
  filled ??= makeFilledFolder().catch((error: unknown) => {
    filled = null;
    throw error;
  });
  const { world, dataDir: template, ...rest } = await filled;
  const dataDir = await mkdtemp(join(tmpdir(), 'mailkeel-'));
  await cp(template, dataDir, { recursive: true, preserveTimestamps: true });
  const program = await startDashboardProgram({ ...rest, dataDir });
  const close = async (): Promise<void> => {
    await program.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { program: { ...program, close }, world };
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
  const approvalId = await addApprovals(ground);
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
    ...{ sandbox, campaigns, sequences, tenants, approvalId },
  };
}
