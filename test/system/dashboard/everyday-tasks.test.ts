// Tests ten everyday tasks, each from the overview to its outcome, with the clicks and typed fields that it takes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { Mailkeel } from '../../../clients/sdk/src/index.js';
import { ensureChromium } from '../../support/chromium.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: everyday tasks in the dashboard: ${skipReason}`);

const CSV = 'E-Mail-Adresse;Vorname;Ort\nkim@inbox.example;Kim;Halden\nlou@inbox.example;Lou;Kirkdale\n';

describe.skipIf(skipReason !== null)('everyday tasks in the dashboard', () => {
  let rig: DashboardRig;
  let live: Mailkeel;
  let clicks: number;
  let fields: number;
  beforeAll(async () => {
    rig = await startDashboardRig();
    const { url, keys } = rig.program.appliance;
    live = new Mailkeel({ apiKey: keys.live_key, baseUrl: url });
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  afterAll(() => rig.close());

  /** A task counts its clicks and typed fields on the way from the overview. */
  function task(title: string, effort: { clicks: number; fields: number }, work: () => Promise<void>): void {
    it(`${title}: ${effort.clicks} clicks, ${effort.fields} fields`, async () => {
      await rig.open('/');
      clicks = 0;
      fields = 0;
      await work();
      rig.expectQuiet();
      expect({ clicks, fields }).toEqual(effort);
    });
  }

  async function click(what: Locator): Promise<void> {
    clicks += 1;
    await what.click();
    await rig.settled();
  }

  async function type(name: string, text: string): Promise<void> {
    fields += 1;
    const typed = rig.page.locator('textarea, input:not([type="radio"])');
    await dialogOrPage().getByLabel(name).and(typed).first().fill(text);
    await rig.settled();
  }

  /** Into the first field of a form, which has the cursor. */
  async function typeAtOnce(text: string): Promise<void> {
    fields += 1;
    await rig.page.keyboard.type(text);
  }

  async function choose(name: string | RegExp, option: string | RegExp): Promise<void> {
    await click(dialogOrPage().getByRole('combobox', { name }).first());
    await click(
      rig.page
        .getByRole('option', typeof option === 'string' ? { name: option, exact: true } : { name: option })
        .first(),
    );
  }

  /** The dialog that is open, if any. */
  const dialogOrPage = () => rig.page.locator('[role="dialog"], main').last();
  const go = (name: string) =>
    click(rig.page.getByRole('navigation').getByRole('link', { name, exact: true }).first());
  const press = (name: string | RegExp) => click(dialogOrPage().getByRole('button', { name }).first());
  const row = (shown: RegExp) => rig.page.getByRole('row', { name: shown }).getByRole('link').first();
  const tab = (name: string) => click(rig.page.getByRole('tab', { name }));
  const shows = (text: string | RegExp) => rig.page.getByText(text).first().waitFor();

  task('add a sending domain and see its DNS records', { clicks: 3, fields: 1 }, async () => {
    await go('Senders');
    await press('Add sender');
    await typeAtOnce('news.fernhill.example');
    await press('Add sender');
    await shows(/_domainkey\.news\.fernhill\.example/);
  });

  task('create an API key', { clicks: 3, fields: 1 }, async () => {
    await go('API keys');
    await press('Create key');
    await type('Name', 'Web shop');
    await press('Create key');
    await shows(/^svc_live_/);
    await rig.page.keyboard.press('Escape');
  });

  task('send a test message and see whether it arrived', { clicks: 2, fields: 0 }, async () => {
    await go('Get started');
    await press('Send test message');
    await shows('Delivered in the sandbox.');
  });

  task('find out why a message bounced, and send it again', { clicks: 4, fields: 1 }, async () => {
    await go('Messages');
    await type('Recipient or subject', 'gone.guest');
    await click(row(/gone\.guest/));
    await shows('the mailbox does not exist');
    await press('Remove suppression and resend');
    await press('Remove suppression and resend');
    await shows('Message resent as a new message.');
  });

  task('remove an address from the suppression list', { clicks: 3, fields: 1 }, async () => {
    await live.suppressions.create({ email: 'pia@inbox.example' });
    await go('Suppressions');
    await type('Address', 'pia@');
    await press('Remove: pia@inbox.example');
    await press('Remove');
    await shows('Suppression removed.');
  });

  task('import contacts from a CSV file with its own column names', { clicks: 6, fields: 0 }, async () => {
    await go('Imports & exports');
    await click(rig.page.getByRole('link', { name: 'New import' }));
    const chooser = rig.page.waitForEvent('filechooser');
    await press('Choose file');
    await (await chooser).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) });
    await rig.settled();
    await choose(/Ort/, 'Custom field');
    await press('Start import');
    await shows('2 of 2');
  });

  task('create a list with a sign-up form', { clicks: 5, fields: 1 }, async () => {
    await go('Lists & segments');
    await press('New list');
    await type('Name', 'Course news');
    await press('New list');
    await tab('Sign-up form');
    await press('Create form code');
    await shows('list_key');
  });

  task('schedule a campaign after a look at one copy', { clicks: 12, fields: 2 }, async () => {
    await go('Campaigns');
    await click(rig.page.getByRole('link', { name: 'New campaign' }).first());
    await typeAtOnce('April letter');
    await choose('List', 'Monthly letter');
    await choose('Template', 'Monthly letter');
    await press('New campaign');
    await rig.page.waitForURL(/campaigns\/cmp_/);
    await tab('Copies');
    await tab('Send');
    await click(rig.page.getByText('Schedule', { exact: true }));
    await type('Date and time', '2027-05-01T09:00');
    await press('Schedule');
    await press('Schedule');
    await shows('Campaign scheduled.');
  });

  task('see why a webhook delivery failed, and replay it', { clicks: 4, fields: 0 }, async () => {
    await go('Webhooks');
    await click(rig.page.getByRole('link', { name: 'Spreadsheet of Vera' }));
    // Newer deliveries may not have been attempted yet.
    await click(row(/\b50\d\b/));
    await shows(/^50\d$/);
    await press('Resend');
    await shows('Resent as a new delivery.');
  });

  task('add a webhook endpoint', { clicks: 3, fields: 1 }, async () => {
    await go('Webhooks');
    await press('Add endpoint');
    await type('URL', 'https://shop.fernhill.example/hooks');
    await press('Add endpoint');
    await shows(/^whsec_/);
    await rig.page.keyboard.press('Escape');
  });

  task('invite a colleague as viewer', { clicks: 5, fields: 1 }, async () => {
    await go('People');
    await press('Invite');
    await type('Email', 'wim@fernhill.example');
    await choose('Role', /^Viewer/);
    await press('Send invitation');
    await shows(/invit\S*#/);
    await rig.page.keyboard.press('Escape');
  });
});
