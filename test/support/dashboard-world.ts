// A company's mail of a year in small: everything that a page of the dashboard can show, made through the public API, in the
// live environment and in the sandbox.
import { COMPANY } from './dashboard/company.js';
import { groundOf, type Ground } from './dashboard/ground.js';
import {
  addLiveMail,
  addSandboxMail,
  addTemplates,
  type MailIds,
  type TemplateIds,
} from './dashboard/mail.js';
import type { DashboardProgram } from './dashboard/program.js';
import { addSenders, type SenderIds } from './dashboard/senders.js';

export interface DashboardWorld {
  workspaceId: string;
  senders: SenderIds;
  templates: TemplateIds;
  live: MailIds['messages'];
  sandbox: MailIds;
}

/** Fills the first workspace of a program that has just started. */
export async function fillWorld(program: DashboardProgram): Promise<DashboardWorld> {
  const ground: Ground = groundOf(program);
  await ground.live.organization.update({ name: COMPANY.name, postal_address: COMPANY.postalAddress });
  await ground.live.workspaces.update(program.appliance.keys.workspace_id, { name: 'Fernhill' });
  const senders = await addSenders(ground);
  const templates = await addTemplates(ground);
  const live = await addLiveMail(ground, templates);
  const sandbox = await addSandboxMail(ground);
  return { workspaceId: program.appliance.keys.workspace_id, senders, templates, live, sandbox };
}
