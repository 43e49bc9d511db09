// Tests logs and usage in the dashboard: events, the request log, the audit log, usage.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureChromium } from '../../support/chromium.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';
import { isFullSize } from '../../support/run-size.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: logs in the dashboard: ${skipReason}`);

const PAGES: readonly (readonly [path: string, content: RegExp])[] = [
  ['/events', /Message delivered/],
  ['/events?area=domain', /Events/],
  ['/requests', /\/v1\//],
  ['/audit-log', /Olga Fernhill/],
  ['/usage', /transactional/],
];
describe.skipIf(skipReason !== null)('logs in the dashboard', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig();
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  beforeEach(() => rig.wear({}));
  afterAll(() => rig.close());

  it.runIf(isFullSize)('shows the data on each page', async () => {
    for (const [path, content] of PAGES) {
      await rig.open(path);
      expect(await rig.page.locator('main').innerText(), path).toMatch(content);
      rig.expectQuiet();
    }
  });

  it('opens an event, whose address can be shared', async () => {
    await rig.visit('/events?events=message.bounced');
    await rig.page.locator('tbody a').first().click();
    await rig.page.getByRole('dialog', { name: 'Message bounced' }).waitFor();
    await rig.expectNoViolations();
    await rig.page.reload();
    const dialog = rig.page.getByRole('dialog', { name: 'Message bounced' });
    await dialog.waitFor();
    expect(await dialog.locator('pre').innerText()).toContain('"event": "message.bounced"');
    await rig.page.keyboard.press('Escape');
    await rig.page.waitForURL(/events\?events=message\.bounced$/);
  });

  it('shows a new event automatically', async () => {
    await rig.visit('/events', { environment: 'test' });
    const response = await fetch(`${rig.url}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${rig.program.appliance.keys.test_key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        from: 'news@fernhill.example',
        to: 'complained+live@sandbox.example',
        subject: 'Seen at once',
        text: 'Hello.',
      }),
    });
    expect(response.status).toBeLessThan(300);
    const { id } = (await response.json()) as { id: string };
    await rig.page.getByRole('link', { name: id }).first().waitFor();
  });

  it('finds refused requests by their code', async () => {
    await fetch(`${rig.url}/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${rig.program.appliance.keys.live_key}`,
        'content-type': 'application/json',
      },
      body: '{}',
    });
    await rig.visit('/requests?status=4xx&method=POST');
    await rig.page.locator('tbody a').first().click();
    const dialog = rig.page.getByRole('dialog', { name: 'POST /v1/messages' });
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain('messages.create');
    expect(await dialog.innerText()).toContain('First live key');
  });

  it('shows the actor of each change, and filters by actor and operation', async () => {
    await rig.visit('/audit-log');
    await rig.page.getByRole('combobox', { name: 'Action' }).click();
    await rig.page.keyboard.type('Invitation created');
    await rig.page.getByRole('option', { name: 'Invitation created' }).click();
    await rig.page.waitForURL(/action=invitations\.create/);
    await rig.settled();
    const rows = await rig.page.locator('tbody tr').allInnerTexts();
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.every((row) => row.includes('Invitation created') && row.includes('Olga Fernhill'))).toBe(
      true,
    );
  });

  it('explains to a viewer what the role cannot see', async () => {
    await rig.page.context().clearCookies();
    await rig.signIn('viewer');
    for (const path of ['/usage', '/events']) {
      await rig.visit(path);
      expect(await rig.page.getByText('Something went wrong').count(), path).toBe(0);
    }
    for (const path of ['/audit-log', '/requests']) {
      await rig.visit(path);
      await rig.page.getByRole('heading', { name: 'You don’t have access to this page' }).waitFor();
      await rig.expectNoViolations();
    }
    rig.expectQuiet();
  });
});
