// Tests messages in the dashboard: the list, one message with all its details, the sandbox inbox, threads, sending, keys.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Mailkeel } from '../../../clients/sdk/src/index.js';
import { ensureChromium } from '../../support/chromium.js';
import { startHttpReceiver } from '../../support/http-receiver.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';

const CONFLICT = { error: { type: 'conflict', code: 'conflict', message: 'The original has no content.' } };

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: messages in the dashboard: ${skipReason}`);

describe.skipIf(skipReason !== null)('messages in the dashboard', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig();
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  beforeEach(() => rig.wear({}));
  afterAll(() => rig.close());

  async function idOf(query: string, environment: 'live' | 'test' = 'test'): Promise<string> {
    const { keys } = rig.program.appliance;
    const key = environment === 'live' ? keys.live_key : keys.test_key;
    const response = await fetch(`${rig.url}/v1/messages?limit=1&${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await response.json()) as { data: { id: string }[] };
    const [first] = data;
    if (first === undefined) throw new Error(`there is no message with ${query}`);
    return first.id;
  }

  it('reschedules a message from its advice, and shows its history in words', async () => {
    const live = new Mailkeel({
      apiKey: rig.program.appliance.keys.live_key,
      baseUrl: rig.program.appliance.url,
    });
    const scheduled = await live.messages.create({
      from: 'hello@fernhill.example',
      to: 'later@receiver.example',
      subject: 'Later',
      text: 'Later.',
      send_at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    await rig.visit(`/messages/${scheduled.id}`);
    await rig.page.getByRole('button', { name: 'Reschedule' }).click();
    await rig.page.getByLabel('Send at').fill('2027-05-01T09:00');
    await rig.page.getByRole('dialog').getByRole('button', { name: 'Reschedule' }).click();
    await rig.page.getByText('Message rescheduled.').waitFor();
    await rig.page.getByRole('tab', { name: 'Timeline' }).click();
    await rig.settled();
    const shown = await rig.page.locator('main').innerText();
    expect(shown).toContain('Scheduled for:');
    expect(shown).not.toMatch(/\d{4}-\d\d-\d\dT\d\d/);
  });

  it('keeps filters in the address', async () => {
    await rig.visit('/messages', { environment: 'test' });
    await rig.page.getByLabel('Recipient or subject').fill('raku');
    await rig.page.waitForURL(/q=raku/);
    await rig.settled();
    const rows = await rig.page.locator('tbody tr').allInnerTexts();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => /raku/i.test(row))).toBe(true);
    await rig.page.reload();
    await rig.settled();
    expect(await rig.page.getByLabel('Recipient or subject').inputValue()).toBe('raku');
    await rig.page.getByRole('button', { name: 'Clear filters' }).click();
    await rig.page.waitForURL(/messages$/);
  });

  it("explains a bounce, and shows the server's reply", async () => {
    await rig.visit(`/messages/${await idOf('status=bounced&to=bounced%40sandbox.example')}?tab=attempts`, {
      environment: 'test',
    });
    const text = await rig.page.locator('main').innerText();
    expect(text).toContain('Bounced');
    expect(text).toMatch(/does not exist|no such/i);
    expect(text).toContain('550');
  });

  it('checks a proof', async () => {
    await rig.visit(`/messages/${await idOf('status=delivered', 'live')}?tab=proof`);
    await rig.page.getByRole('button', { name: 'Verify now' }).click();
    await rig.page.getByText('The signature is valid.').waitFor();
  });

  it('plays what becomes of a mail in the sandbox', async () => {
    await rig.visit('/messages/new', { environment: 'test' });
    const { page } = rig;
    await page.getByRole('textbox', { name: 'To' }).fill('delivered+play@sandbox.example');
    await page.getByLabel('Subject').fill('To be played');
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.waitForURL(/messages\/msg_/);
    await page.locator('.mk-status', { hasText: 'delivered' }).first().waitFor();
    await page.getByRole('button', { name: 'Simulate event' }).click();
    await page.getByRole('menuitem', { name: 'Spam complaint' }).click();
    await page.locator('.mk-status', { hasText: 'complained' }).first().waitFor();
    rig.expectQuiet();
  });

  it('loads external pictures of a mail only on request', async () => {
    const elsewhere = await startHttpReceiver();
    const { keys } = rig.program.appliance;
    try {
      const response = await fetch(`${rig.url}/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys.test_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ from: 'me@example.com', to: 'delivered@sandbox.example', subject: 'Pictures' },
          html: `<style>p { background: url(${elsewhere.url}/style.png) }</style><p>Hello</p><img src="${elsewhere.url}/point.png">
            <link rel="stylesheet" href="${elsewhere.url}/sheet.css"><script>parent.postMessage('out', '*')</script>`,
        }),
      });
      const { id } = (await response.json()) as { id: string };
      await rig.visit(`/messages/${id}?tab=content`, { environment: 'test' });
      await rig.page.frameLocator('iframe').getByText('Hello').waitFor();
      expect(elsewhere.requests).toEqual([]);
      await rig.page.getByLabel('Load remote images').check();
      await elsewhere.waitFor(2);
      const asked = elsewhere.requests.map(({ url }) => url).toSorted();
      expect(asked).toEqual(['/point.png', '/style.png']);
    } finally {
      rig.complaints.length = 0;
      rig.requests.length = 0;
      await elsewhere.close();
    }
  });

  describe("a sub-tenant's suppression", () => {
    const lift = 'Remove suppression and resend';

    /** A message of a sub-tenant that its own suppression stopped. */
    async function suppressed(email: string): Promise<string> {
      const { url, keys } = rig.program.appliance;
      const live = new Mailkeel({ apiKey: keys.live_key, baseUrl: url });
      const tenant = await live.subTenants.get(rig.world.tenants.good);
      await live.suppressions.create({ email, sub_tenant_id: tenant.id });
      const from = `post@${tenant.sending_domain}`;
      const { id } = await live.messages.create({
        ...{ sub_tenant_id: tenant.id, from, to: email },
        ...{ subject: 'Your course', text: 'On Thursday.' },
      });
      return id;
    }

    async function confirmLift(): Promise<void> {
      await rig.page.getByRole('button', { name: lift }).click();
      const dialog = rig.page.getByRole('dialog');
      await dialog.getByText('This address was added manually. Applies to this sub-tenant.').waitFor();
      await dialog.getByRole('button', { name: lift }).click();
    }

    it('is removed, and the message resent, by one button', async () => {
      const { page } = rig;
      const id = await suppressed('nora@inbox.example');
      await rig.visit(`/messages/${id}`);
      await confirmLift();
      await page.getByText('Message resent as a new message.').waitFor();
      await page.waitForURL((url) => url.pathname.includes('/messages/msg_') && !url.pathname.endsWith(id));
      rig.expectQuiet();
    });

    it('is not offered for removal where the advice names no call', async () => {
      const { page } = rig;
      const id = await suppressed('nele@inbox.example');
      const text = 'The workspace suppressed nele@inbox.example. Only the workspace can remove it.';
      await page.route('**/explain*', async (route) => {
        const response = await route.fetch();
        const explained = (await response.json()) as object;
        await route.fulfill({
          response,
          json: { ...explained, advice: [{ code: 'resend', text, calls: [] }] },
        });
      });
      await rig.open(`/messages/${id}`);
      const advice = page.getByRole('alert').filter({ hasText: text });
      await advice.waitFor();
      expect(await advice.locator('button, a').count()).toBe(0);
      await page.unroute('**/explain*');
      rig.expectQuiet();
    });

    it('shows as removed if the message cannot be resent', async () => {
      const { page } = rig;
      const id = await suppressed('nils@inbox.example');
      await rig.visit(`/messages/${id}`);
      await page.route('**/resend*', (route) => route.fulfill({ status: 409, json: CONFLICT }));
      await confirmLift();
      await page.getByText('removed from the suppression list, but the message was not resent').waitFor();
      await page.getByText('The address is no longer suppressed.').first().waitFor();
      await page.unroute('**/resend*');
      rig.expectQuiet({ answers: [409] });
    });
  });

  it('shows the same call as curl, SDK and command', async () => {
    await rig.visit('/messages?status=bounced', { environment: 'test' });
    await rig.page.getByRole('button', { name: 'API requests' }).click();
    // The SDK's tab also shows how to install it.
    const shown = rig.page.getByRole('dialog').locator('pre:visible').last();
    await shown.waitFor();
    expect(await shown.innerText()).toContain('/v1/messages?status=bounced&view=summary');
    await rig.page.getByRole('tab', { name: 'TypeScript' }).click();
    expect(await shown.innerText()).toContain('await mailkeel.messages.list({');
    await rig.page.getByRole('tab', { name: 'CLI' }).click();
    expect(await shown.innerText()).toBe('mailkeel messages list --status bounced --view summary');
  });

  it('makes an API key, shows its secret once, and revokes it', async () => {
    const { page } = rig;
    await rig.visit('/api-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const secret = await page
      .getByRole('dialog')
      .getByText(/^svc_live_/)
      .innerText();
    const me = await fetch(`${rig.url}/v1/me`, { headers: { authorization: `Bearer ${secret}` } });
    expect(me.status).toBe(200);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'More actions: Shop' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('API key revoked.').waitFor();
    const gone = await fetch(`${rig.url}/v1/me`, { headers: { authorization: `Bearer ${secret}` } });
    expect(gone.status).toBe(401);
  });

  it('finds pages and mail by Ctrl-K', async () => {
    const { page } = rig;
    await rig.visit('/messages', { environment: 'test' });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('ID, address, subject or page').fill('suppressions');
    await page.keyboard.press('Enter');
    await page.waitForURL(/suppressions/);
  });

  it('speaks German', async () => {
    const { page } = rig;
    await rig.visit('/messages', { environment: 'test' });
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Nachrichten' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await page.getByRole('button', { name: 'Ihr Konto' }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Messages' }).waitFor();
  });

  it('leads who is not signed in to signing in, and back', async () => {
    const { page } = rig;
    await rig.open('/threads', { environment: 'test' });
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/sign-in/);
    await rig.open('/threads', { environment: 'test' });
    await page.waitForURL(/sign-in\?next=/);
    await page.locator('[name="email"]').fill('olga@fernhill.example');
    await page.locator('[name="password"]').fill('wrong password here');
    await page.locator('button[type="submit"]').click();
    await page.getByRole('alert').waitFor();
    await page.locator('[name="password"]').fill('the lamp is on the left side');
    await page.locator('button[type="submit"]').click();
    await page.waitForURL(/test\/threads/);
  });
});
