// Tests interruptions of a form: typing with immediate responses, a session that ends, and displayed mail that tries to contact other hosts.
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureChromium } from '../../support/chromium.js';
import { OWNER } from '../../support/dashboard/program.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';
import { isFullSize } from '../../support/run-size.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: interruptions in the dashboard: ${skipReason}`);

describe.skipIf(skipReason !== null)('interruptions in the dashboard', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig({ world: 'none' });
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  afterAll(() => rig.close());

  it('keeps the focus in a filter while its answer comes, and clears it with the others', async () => {
    const { page } = rig;
    await rig.visit('/messages', { environment: 'test' });
    const field = page.getByLabel('Recipient or subject');
    await field.click();
    await page.keyboard.type('ol');
    await page.waitForURL(/q=ol$/);
    await rig.settled();
    await page.keyboard.type('ga');
    await page.waitForURL(/q=olga$/);
    expect(await field.inputValue()).toBe('olga');
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.waitForURL((url) => !url.search.includes('q='));
    await rig.settled();
    expect(await field.inputValue()).toBe('');
  });

  it('asks to sign in again over the page when the session has ended, and keeps the input', async () => {
    const { page } = rig;
    await rig.visit('/messages/new', { environment: 'test' });
    await page.getByRole('textbox', { name: 'To' }).fill('a@sandbox.example');
    await page.getByLabel('Subject').fill('Written with care');
    await page.locator('main textarea').first().fill('Words');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has expired' });
    await dialog.locator('[name="email"]').fill(OWNER.email);
    await dialog.locator('[name="password"]').fill(OWNER.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Subject').inputValue()).toBe('Written with care');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.waitForURL(/\/messages\/msg_/);
    await rig.settled();
    rig.complaints.length = 0;
  });

  it('continues with the new session after signing in again in another tab', async () => {
    const { page } = rig;
    await rig.visit('/messages/new', { environment: 'test' });
    await page.getByRole('textbox', { name: 'To' }).fill('b@sandbox.example');
    await page.getByLabel('Subject').fill('From the first tab');
    await page.locator('main textarea').first().fill('Words');
    const { email, password } = OWNER;
    const signedIn = await page.request.post(`${rig.url}/v1/auth/sign-in`, { data: { email, password } });
    expect(signedIn.ok()).toBe(true);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.waitForURL(/\/messages\/msg_/);
    await rig.settled();
    rig.complaints.length = 0;
  });

  it('asks before a mail that is being written is left', async () => {
    const { page } = rig;
    await rig.visit('/messages/new', { environment: 'test' });
    await page.getByLabel('Subject').fill('Not yet');
    await page.getByRole('link', { name: 'Threads' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
    expect(await page.getByLabel('Subject').inputValue()).toBe('Not yet');
    await page.getByRole('link', { name: 'Threads' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /leave/i }).click();
    await page.waitForURL(/threads/);
  });

  it('does not let a mail contact other hosts when it is displayed', async () => {
    let calls = 0;
    const outsider = createServer((socket) => {
      calls += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => outsider.listen(0, '127.0.0.1', resolve));
    const address = outsider.address();
    const host = `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : ''}`;
    const { keys } = rig.program.appliance;
    const answer = await fetch(`${rig.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.test_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ from: 'me@example.com', to: 'delivered@sandbox.example', subject: 'Look' },
        html: `<p>Words</p><iframe src="${host}/a"></iframe><link rel="preconnect" href="${host}"><img src="${host}/b">`,
      }),
    });
    const { id } = (await answer.json()) as { id: string };
    await rig.visit(`/messages/${id}?tab=content`, { environment: 'test' });
    const frame = rig.page.frameLocator('iframe');
    await frame.getByText('Words').waitFor();
    expect(await frame.locator('iframe, link').count()).toBe(0);
    expect(calls).toBe(0);
    await new Promise((resolve) => outsider.close(resolve));
    rig.complaints.length = 0;
  });

  it.runIf(isFullSize)('shows several values of a filter in every language of the samples', async () => {
    const { page } = rig;
    await rig.open('/messages?status=bounced,complained', { environment: 'test' });
    await page.getByRole('button', { name: 'API requests' }).click();
    await page.getByRole('tab', { name: 'TypeScript' }).click();
    const shown = page.getByRole('dialog').locator('pre:visible').last();
    expect(await shown.innerText()).toContain("'bounced'");
    expect(await shown.innerText()).toContain("'complained'");
  });

  it.runIf(isFullSize)('is not wider than a phone if it has a table', async () => {
    await rig.wear({ width: 390 });
    await rig.open('/api-keys');
    expect(await rig.overflow()).toBeLessThanOrEqual(0);
  });

  it('keeps the focus on the page when the link that led there is gone', async () => {
    const { page } = rig;
    await rig.wear({});
    await rig.visit('/messages', { environment: 'test' });
    await page.locator('tbody a').first().press('Enter');
    await page.waitForURL(/\/messages\/msg_/);
    await rig.settled();
    expect(await page.locator('main:focus').count()).toBe(1);
  });

  it('closes every tab when the person signs out in one', async () => {
    const { page } = rig;
    await rig.open('/messages', { environment: 'test' });
    const [other] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate('void window.open(location.href)'),
    ]);
    await other.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.waitForURL(/sign-in/);
    await other.close();
  });
});
