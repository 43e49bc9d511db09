// Tests approvals in the dashboard: reviewing, editing, approving and rejecting messages as a person does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Mailkeel } from '../../../clients/sdk/src/index.js';
import { ensureChromium } from '../../support/chromium.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';
import { picture } from '../../support/pictures.js';
import { COMPANY } from '../../support/dashboard/company.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: approvals in the dashboard: ${skipReason}`);

describe.skipIf(skipReason !== null)('approvals in the dashboard', () => {
  let rig: DashboardRig;
  let mailkeel: Mailkeel;
  beforeAll(async () => {
    rig = await startDashboardRig();
    const { url, keys } = rig.program.appliance;
    mailkeel = new Mailkeel({ apiKey: keys.live_key, baseUrl: url });
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  afterAll(() => rig.close());

  const button = (name: string) => rig.page.getByRole('button', { name, exact: true });
  const badge = () => rig.page.locator('.mk-nav .mantine-Badge-root');

  it('edits a message, approves it by a key, and moves to the next', async () => {
    const { page, world } = rig;
    await rig.visit('/approvals');
    expect(await badge().innerText()).toBe('2');
    await page.getByRole('link', { name: 'Your refund' }).click();
    await page.getByText('refunds.example.net').first().waitFor();
    await page.locator('dt', { hasText: 'From' }).waitFor();
    await button('Edit').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Subject').fill('Your refund of 48 €');
    await picture(rig.browser, 'approval-edit');
    await rig.expectNoViolations();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('2 (edited)').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'We have moved your booking' }).waitFor();
    const approved = await mailkeel.approvals.get(world.approvalId);
    expect(approved).toMatchObject({ status: 'approved', version: 2, subject: 'Your refund of 48 €' });
    expect(approved.decided_by?.email).toBe('olga@fernhill.example');
  });

  it('rejects the last one by a key, with a note', async () => {
    const { page } = rig;
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('Ask the customer first.');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('No messages are waiting for approval').waitFor();
    await badge().waitFor({ state: 'detached' });
    await page.getByText('Decided', { exact: true }).click();
    await page.getByRole('link', { name: 'We have moved your booking' }).click();
    await page.getByText('Ask the customer first.').waitFor();
    rig.expectQuiet();
  });

  it('approves only one message by a double click', async () => {
    const { page, program } = rig;
    const policy = { approval: 'always' } as const;
    const { secret } = await mailkeel.apiKeys.create({ name: 'Robot', permission: 'send', policy });
    const robot = new Mailkeel({ apiKey: secret, baseUrl: program.appliance.url });
    for (const subject of ['One of two', 'Two of two']) {
      await robot.messages.create({
        ...{ from: COMPANY.bookings, to: 'ida@example.net', subject, text: 'Hello' },
      });
    }
    await rig.visit('/approvals');
    await page.getByRole('link', { name: 'Two of two' }).click();
    await button('Approve').dblclick();
    await page.getByRole('heading', { name: 'One of two' }).waitFor();
    const { data } = await mailkeel.approvals.list({ status: ['pending'] });
    expect(data.map(({ subject }) => subject)).toEqual(['One of two']);
  });

  it('grants the permission on the page of people', async () => {
    const { page } = rig;
    await rig.visit('/people');
    const permission = page.getByLabel('Mara Lindgren approves messages');
    await permission.locator('..').click();
    await page.getByText('Permission updated.').waitFor();
    const { data } = await mailkeel.members.list();
    expect(data.find(({ email }) => email === 'mara@fernhill.example')?.can_approve).toBe(true);
  });
});
