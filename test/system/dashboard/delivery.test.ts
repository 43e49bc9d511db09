// Tests customers, domains and delivery in the dashboard: reputation of sub-tenants, DNS records, the queue, bounces, health, the
// overview.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Mailkeel } from '../../../clients/sdk/src/index.js';
import { ensureChromium } from '../../support/chromium.js';
import { LOOKS, startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';
import { picture } from '../../support/pictures.js';
import { firstOf, inTurn, isFullSize } from '../../support/run-size.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: delivery in the dashboard: ${skipReason}`);

describe.skipIf(skipReason !== null)('customers, domains and delivery in the dashboard', () => {
  let rig: DashboardRig;
  let live: Mailkeel;
  beforeAll(async () => {
    rig = await startDashboardRig();
    const { url, keys } = rig.program.appliance;
    live = new Mailkeel({ apiKey: keys.live_key, baseUrl: url });
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  afterAll(() => rig.close());

  const main = (): Promise<string> => rig.page.locator('main').innerText();
  const button = (name: string) => rig.page.getByRole('button', { name, exact: true });
  const inDialog = (name: string) => rig.page.getByRole('dialog').getByRole('button', { name, exact: true });

  it('shows the data on the pages that every-page does not open', async () => {
    const { tenants, senders } = rig.world;
    const pages: [path: string, shows: string][] = [
      ['/?range=24h', 'Recent messages'],
      [`/sub-tenants/${tenants.wrong}`, 'mismatch'],
      [`/sub-tenants/${tenants.throttled}?tab=trail`, 'Throttled'],
      [`/senders/${senders.address}`, 'default'],
      ['/queue?tab=limits', 'Limits that recipients’ mail servers requested'],
      ['/queue?tab=sources', 'direct to MX'],
    ];
    await live.health.runChecks();
    for (const [path, shows] of pages) {
      await rig.visit(path);
      expect(await main(), path).toContain(shows);
      rig.expectQuiet();
    }
  });

  it('has nothing for axe to find in what asks and takes', async () => {
    const { tenants, senders } = rig.world;
    const dialogs: [path: string, opens: string][] = [
      ['/sub-tenants', 'Add sub-tenant'],
      [`/sub-tenants/${tenants.good}`, 'Pause'],
      [`/sub-tenants/${tenants.good}`, 'Edit'],
      [`/sub-tenants/${tenants.good}?tab=dns`, 'Rotate keys'],
      [`/senders/${senders.wrong}`, 'Create share link'],
      ['/senders', 'Add sender'],
      ['/queue', 'Cancel queued messages'],
      ['/queue?tab=shares', 'Change share'],
      ['/queue/slowmail.example', 'Pause'],
    ];
    for (const [turn, [path, opens]] of firstOf(2, dialogs).entries()) {
      for (const look of inTurn(LOOKS, turn)) {
        await rig.wear(look);
        await rig.visit(path);
        await button(opens).click();
        await rig.page.getByRole('dialog').waitFor();
        await rig.settled();
        await picture(rig.browser, `dialog-${opens.replaceAll(' ', '-')}-${look.name}`);
        await rig.expectNoViolations();
        await rig.page.keyboard.press('Escape');
        await rig.page.getByRole('dialog').waitFor({ state: 'hidden' });
      }
    }
    await rig.wear({});
    rig.expectQuiet();
  }, 180_000);

  it('shows the state of a sub-tenant, since when it applies, and what ends it', async () => {
    await rig.visit(`/sub-tenants/${rig.world.tenants.throttled}`);
    const text = await main();
    expect(text).toMatch(/Throttled: the complaint rate \(\d+\.\d\d%\) has reached 0\.30%\. Since/);
    expect(text).toContain('Throttling ends below 0.24%, and the warning ends below 0.08%.');
    expect(text).toMatch(/Based on \d+ delivered messages \(minimum 20\)/);
    const meter = rig.page.getByRole('meter').first();
    expect(await meter.getAttribute('aria-label')).toContain('Warning at 0.10%, throttling at 0.30%');
  });

  it.runIf(isFullSize)('finds sub-tenants by their reputation, worst first', async () => {
    await rig.open('/sub-tenants?reputation=warned,throttled&order=-complaint_rate');
    const rows = await rig.page.locator('tbody tr').allInnerTexts();
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain('Velo Werkstatt Süd');
    expect(rows[1]).toContain('Bäckerei Kern');
  });

  it('sets up a customer, whose published records are found by a check', async () => {
    const { page } = rig;
    await rig.visit('/sub-tenants');
    await button('Add sub-tenant').click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Töpferei am Tor');
    await page.getByLabel('Sending domain').fill('not a domain');
    await inDialog('Add sub-tenant').click();
    await page.locator('[name="sending_domain"][aria-invalid="true"]').waitFor();
    await page.getByLabel('Sending domain').fill('mail.toepferei.example');
    await inDialog('Add sub-tenant').click();
    await page.waitForURL(/sub-tenants\/tnt_/);
    await rig.settled();
    rig.expectQuiet({ answers: [422, 400] });
    const { id = '' } = /sub-tenants\/(?<id>tnt_\w+)/.exec(page.url())?.groups ?? {};

    // The file has the whole key, in strings of 255 octets, below the zone that is chosen.
    const [download] = await Promise.all([page.waitForEvent('download'), button('Zone file').click()]);
    const zone = await readFile(await download.path(), 'utf8');
    const tenant = await live.subTenants.get(id);
    const [key] = tenant.dns_records;
    expect(zone).toContain('$ORIGIN toepferei.example.');
    expect(zone).toContain(
      `\n_dmarc.mail\t3600\tIN\tTXT\t"v=DMARC1; p=none; rua=mailto:dmarc@mta.fernhill.example"`,
    );
    expect(zone.replaceAll('" "', '')).toContain(key?.value);

    rig.program.publish(tenant.dns_records);
    await button('Check now').click();
    await page.getByText('The required record is valid').waitFor();
    await page.getByText('Good reputation.').waitFor();
    expect((await live.subTenants.get(id)).status).toBe('verified');

    await button('Rotate keys').click();
    await inDialog('Rotate keys').click();
    await page.getByText(/is not signing yet\. Its DNS record has not been found/).waitFor();

    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByLabel(/Type mail.toepferei.example/).fill('mail.toepferei.example');
    await inDialog('Delete').click();
    await page.waitForURL(/sub-tenants$/);
    await expect(live.subTenants.get(id)).rejects.toThrow();
    // A slow page may still request deleted objects while it is closing.
    await rig.settled();
    rig.expectQuiet({ answers: [404] });
  });

  it.runIf(isFullSize)('pauses a sub-tenant and lets it go again', async () => {
    const { good } = rig.world.tenants;
    await rig.open(`/sub-tenants/${good}`);
    await button('Pause').click();
    await inDialog('Pause').click();
    await rig.page.getByText('Paused manually.').waitFor();
    expect((await live.subTenants.get(good)).status).toBe('paused');
    await button('Resume').click();
    await inDialog('Resume').click();
    await rig.page.getByText(/Good reputation/).waitFor();
  });

  it.runIf(isFullSize)(
    'makes a share link that is shown once, opens without an account, and ends',
    async () => {
      const { page, world } = rig;
      await rig.open(`/sub-tenants/${world.tenants.wrong}?tab=dns`);
      await button('Create share link').click();
      await inDialog('Create link').click();
      const link = await page.getByRole('dialog').getByText(/^http/).innerText();
      expect((await fetch(link)).status).toBe(200);
      await page
        .getByRole('dialog', { name: 'Copy your share link' })
        .getByRole('button', { name: 'Close' })
        .click();
      await button('Revoke link').click();
      await inDialog('Revoke link').click();
      await page.getByText('revoked', { exact: true }).waitFor();
      expect((await fetch(link)).status).toBe(404);
    },
  );

  it.runIf(isFullSize)('adds an address, and explains why one cannot be confirmed', async () => {
    await rig.open('/senders');
    await button('Add sender').click();
    await rig.page.getByLabel('Single address').check();
    const address = rig.page.getByRole('textbox', { name: 'Address', exact: true });
    await address.fill('someone@elsewhere.example');
    await inDialog('Add sender').click();
    await rig.page.getByText(/the confirmation cannot be signed/).waitFor();
    rig.expectQuiet({ answers: [409] });
    await address.fill('reception@fernhill.example');
    await inDialog('Add sender').click();
    await rig.page.waitForURL(/senders\/snd_/);
    await rig.page.getByText('Verified. You can send from this sender.').waitFor();
    await button('Make default').click();
    await rig.page.getByText('default', { exact: true }).waitFor();
    await button('More actions').click();
    await rig.page.getByRole('menuitem', { name: 'Delete' }).click();
    await inDialog('Delete').click();
    await rig.page.waitForURL(/senders$/);
    rig.expectQuiet();
  });

  it("resumes a sub-tenant's pause of a destination for the workspace", async () => {
    const { good } = rig.world.tenants;
    const domain = 'slowmail.example';
    const pause = { reason: 'Their host is being moved.' };
    await live.queue.pauseDestination(domain, pause, { subTenant: good });
    await rig.visit(`/queue/${domain}`);
    await rig.page.getByText(pause.reason).first().waitFor();
    await button('Resume').click();
    await rig.page.getByText('Delivery resumed.').waitFor();
    const { data } = await live.queue.listDestinations({ domain });
    expect(data[0]?.pauses).toEqual([]);
  });

  it('pauses a destination with a reason, resumes and retries it', async () => {
    await rig.visit('/queue/slowmail.example');
    await button('Pause').click();
    await rig.page.getByLabel('Reason').fill('their host is being moved');
    await inDialog('Pause').click();
    await rig.page.getByText('Delivery to slowmail.example is paused: their host is being moved').waitFor();
    await button('Resume').click();
    await rig.page.getByText('Delivery resumed.').waitFor();
    await button('Retry now').click();
    await inDialog('Retry now').click();
    // The host requested a wait (greylisting), which a retry respects.
    await rig.page.getByText(/Still delayed at the request of the recipient’s server: 1/).waitFor();
    await rig.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await button('Retry now').click();
    await inDialog('Retry now').click();
    await rig.page.getByRole('dialog').getByRole('alert').waitFor();
    rig.expectQuiet({ answers: [429] });
  });

  it('changes, pauses, resumes and finishes the share of a route', async () => {
    await rig.visit('/queue?tab=shares');
    expect(await main()).toContain('20% direct, 80% through the smarthost');
    await button('Change share').click();
    const percent = rig.page.getByRole('dialog').getByLabel('Direct share in percent');
    await percent.fill('35');
    await inDialog('Change share').click();
    await rig.page.getByText('35% direct, 65% through the smarthost').waitFor();
    await button('Pause').click();
    await rig.page.getByText('The share does not change until you resume it.').waitFor();
    await button('Resume').click();
    await rig.page.getByText('Rises by 10 points every 3 days').waitFor();
    await button('Finish').click();
    await inDialog('Finish').click();
    await rig.page.getByText('All email on this route is delivered directly.').waitFor();
    await live.routeShares.update('leaving', { percent: 20 });
    rig.expectQuiet();
  });

  it('counts waiting mail before it is canceled', async () => {
    await rig.visit('/queue/slowmail.example');
    await button('Cancel queued messages').click();
    const field = rig.page.getByLabel('Recipient or subject contains');
    expect(await field.inputValue()).toBe('@slowmail.example');
    await field.fill('nobody-here');
    await inDialog('Preview matches').click();
    await rig.page.getByText('No queued messages match.').waitFor();
    await field.fill('petra.lang@slowmail.example');
    await inDialog('Preview matches').click();
    await rig.page.getByRole('dialog').getByText('petra.lang@slowmail.example').waitFor();
    await inDialog('Cancel messages (1)').click();
    await rig.page.waitForURL(/bulk-actions/);
  });

  it('shows what needs attention, with the pages that help', async () => {
    await rig.visit('/');
    await rig.page.getByRole('link', { name: 'Velo Werkstatt Süd is throttled due to complaints' }).click();
    await rig.page.waitForURL(/sub-tenants\/tnt_/);
    await rig.visit('/?range=30d');
    expect(await main()).toContain('Opened');
  });

  it('shows nothing of nodes where there are none, and a line for each where they share the work', async () => {
    await rig.open('/health');
    expect(await main()).not.toContain('Path leases');
    const at = new Date().toISOString();
    const node = {
      ...{ id: 'nod_1', object: 'node', host: 'mail-1', version: '0.1.0', roles: ['relay', 'mta'] },
      ...{ status: 'working', is_this: true, sources: ['default'], path_leases: 31 },
      ...{ rooms: ['delivery reports'], started_at: at, seen_at: at },
    };
    const data = [node, { ...node, id: 'nod_2', host: 'mail-2', status: 'leaving', is_this: false }];
    await rig.page.route('**/v1/nodes*', (route) => route.fulfill({ json: { object: 'list', data } }));
    await rig.open('/health');
    const shown = await main();
    for (const text of ['mail-1', 'current', 'mail-2', 'shutting down', 'SMTP submission, delivery', '31'])
      expect(shown).toContain(text);
    expect(await rig.violations()).toEqual([]);
    rig.expectQuiet();
    await rig.page.unroute('**/v1/nodes*');
  });

  it('explains to other workspaces what only the operator may see', async () => {
    const workspace = rig.world.secondWorkspaceId;
    await rig.visit('/health', { workspace });
    expect(await main()).toContain('Only the operator can view host health');
    await rig.visit('/queue?tab=sources', { workspace });
    expect(await main()).toContain('Only the operator can view sources');
    await rig.visit('/', { workspace });
    expect(await main()).toContain('No messages yet');
    rig.expectQuiet();
  });

  it('shows a viewer everything, and no button that the role may not use', async () => {
    await rig.page.context().clearCookies();
    await rig.signIn('viewer');
    const { tenants, senders } = rig.world;
    for (const path of [
      `/sub-tenants/${tenants.wrong}`,
      `/senders/${senders.wrong}`,
      '/queue/posteo.example',
      '/get-started',
    ]) {
      await rig.visit(path);
      const names = await rig.page.locator('main').getByRole('button').allInnerTexts();
      const acts =
        /^(Pause|Edit|Delete|Check now|Rotate keys|Create share link|Retry now|Cancel queued messages|Send test message)$/;
      expect(names.filter((name) => acts.test(name))).toEqual([]);
    }
    rig.expectQuiet();
  });
});
