// Creates a company's members, invitations, keys, webhooks, share links, and a second workspace.
import { Mailkeel } from '../../../clients/sdk/src/index.js';
import { waitFor } from '../wait.js';
import { COMPANY } from './company.js';
import type { Ground } from './ground.js';
import { OWNER } from './program.js';

/** Of every member except the owner. */
const PASSWORD = 'a kettle of green tea, please';

const MEMBERS = [
  { email: 'adam@fernhill.example', name: 'Adam Okafor', role: 'admin' },
  { email: 'mara@fernhill.example', name: 'Mara Lindgren', role: 'member' },
  { email: 'vera@fernhill.example', name: 'Vera Castellanos-Montgomery von Hohenstein', role: 'viewer' },
] as const;

export type RoleOfPerson = 'owner' | (typeof MEMBERS)[number]['role'];

/** The credentials of a member with this role. */
export function credentialsOf(role: RoleOfPerson): { email: string; password: string } {
  const member = MEMBERS.find((one) => one.role === role);
  return member === undefined ? OWNER : { email: member.email, password: PASSWORD };
}

export interface AccountIds {
  secondWorkspaceId: string;
  webhooks: { good: string; failing: string; disabled: string; sandbox: string };
}

/** Requests as the signed-in owner, in the sandbox of a workspace if one is named. */
async function signedIn(url: string, workspace?: string): Promise<Mailkeel> {
  const response = await fetch(`${url}/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(OWNER),
  });
  const { csrf_token: csrfToken } = (await response.json()) as { csrf_token: string };
  const token = /mailkeel_session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';
  const session = { csrfToken, token };
  return new Mailkeel({
    baseUrl: url,
    session,
    ...(workspace === undefined ? {} : { workspace, environment: 'test' as const }),
  });
}

export async function addPeople({ program }: Ground): Promise<{ secondWorkspaceId: string }> {
  const owner = await signedIn(program.appliance.url);
  await owner.auth.updateUser({ name: 'Olga Fernhill' });
  for (const { email, role, name } of MEMBERS) {
    const { link } = await owner.invitations.create({ email, role });
    const token = link.split('#')[1] ?? '';
    await owner.invitations.accept({ token, name, password: PASSWORD });
  }
  await owner.invitations.create({ email: 'new.colleague@fernhill.example', role: 'member' });
  const { id } = await owner.workspaces.create({ name: 'Fernhill Labs', retention_days: 30 });
  return { secondWorkspaceId: id };
}

export async function addKeys({ live, sandbox }: Ground, tenantId: string): Promise<void> {
  await live.apiKeys.create({ name: 'Booking service', permission: 'send' });
  await live.apiKeys.create({
    name: 'Reports',
    permission: 'read',
    allowed_ips: ['192.0.2.0/24', '2001:db8::/32'],
  });
  await live.apiKeys.create({ name: 'Kiln & Clay Studio', permission: 'full', sub_tenant_id: tenantId });
  const gone = await live.apiKeys.create({ name: 'Trial of the old shop', permission: 'full' });
  await live.apiKeys.revoke(gone.id);
  await sandbox.apiKeys.create({ name: 'Laptop of Mara', permission: 'full' });
}

/** Adds messages of an AI agent, two waiting and one rejected by the owner; returns the approval of the first. */
export async function addApprovals({ live, program }: Ground): Promise<string> {
  const { secret } = await live.apiKeys.create({
    name: 'Support agent',
    permission: 'send',
    policy: {
      approval: 'outside_allowlist',
      allowed_recipients: [COMPANY.domain],
      content: { allowed_link_domains: [COMPANY.domain] },
    },
  });
  const agent = new Mailkeel({ apiKey: secret, baseUrl: program.appliance.url });
  const hold = async (subject: string, to: string, more: { cc?: string; html?: string } = {}) => {
    const { id } = await agent.messages.create({
      ...{ from: COMPANY.bookings, to, subject, text: 'Your refund of 48 € is on its way.\n', ...more },
    });
    const { data } = await live.approvals.list({ status: ['pending'] });
    return data.find(({ message_id: message }) => message === id)?.id ?? '';
  };
  const rejected = await hold('Free courses for everyone', 'everyone@example.org');
  const owner = await signedIn(program.appliance.url);
  await owner.approvals.reject(rejected, { note: 'We never promise free courses.' });
  await hold('We have moved your booking', 'noor@example.net');
  return hold('Your refund', 'maya@example.com', {
    cc: `bookings@${COMPANY.domain}`,
    html: `<h1>Hello Maya</h1><p>Your refund of 48 € is on its way.</p><p><a href="https://refunds.example.net/48">See your refund</a></p>`,
  });
}

/** Adds endpoints that succeed, fail, and were disabled after failures, before there is mail to report. */
export async function addWebhooks({ live, sandbox, program }: Ground): Promise<AccountIds['webhooks']> {
  const at = (path: string): string => `${program.hooks.url}${path}`;
  const good = await live.webhookEndpoints.create({
    url: at('/hooks/bookings'),
    description: 'The booking service',
    events: ['message.delivered', 'message.bounced', 'message.complained', 'message.received'],
  });
  const failing = await live.webhookEndpoints.create({
    url: at('/failing'),
    description: 'Spreadsheet of Vera',
  });
  const disabled = await live.webhookEndpoints.create({
    url: at('/gone'),
    description: 'The old shop',
    events: ['message.bounced'],
    format: 'standard',
    payload: 'full',
  });
  const inSandbox = await sandbox.webhookEndpoints.create({ url: at('/hooks/sandbox'), payload: 'full' });
  return { good: good.id, failing: failing.id, disabled: disabled.id, sandbox: inSandbox.id };
}

/** Waits for deliveries of every kind. */
export async function settleWebhooks({ live }: Ground, ids: AccountIds['webhooks']): Promise<void> {
  // It answers 410 Gone to the first event.
  await waitFor(
    'an endpoint to be switched off',
    () => live.webhookEndpoints.get(ids.disabled),
    ({ status }) => status === 'disabled',
  );
  await live.webhookEndpoints.replay(ids.good, { since: new Date(Date.now() - 3_600_000).toISOString() });
}

export async function addShareLinks(
  { live }: Ground,
  of: { messageId: string; senderId: string; tenantId: string },
): Promise<void> {
  await live.shareLinks.createForMessage(of.messageId, { include_content: true });
  await live.shareLinks.createForSender(of.senderId, { expires_in_days: 14 });
  await live.shareLinks.createForSubTenant(of.tenantId);
}

export async function addSecondWorkspace({ program }: Ground, workspaceId: string): Promise<void> {
  const sandbox = await signedIn(program.appliance.url, workspaceId);
  await sandbox.messages.create({
    from: COMPANY.from,
    to: 'delivered@sandbox.example',
    subject: 'Labs: first try',
    text: 'It works.',
  });
}
