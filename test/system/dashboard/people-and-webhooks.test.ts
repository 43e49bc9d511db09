// Tests webhooks, contacts, suppressions, lists, imports, exports and bulk actions in the dashboard: the content of the pages,
// and the main tasks as a person does them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Mailkeel } from '../../../clients/sdk/src/index.js';
import { ensureChromium } from '../../support/chromium.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';
import { picture } from '../../support/pictures.js';
import { firstOf, isFullSize } from '../../support/run-size.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: people and webhooks in the dashboard: ${skipReason}`);

const FILE = 'email,name,city,tags\nzoe@inbox.example,Zoe Zett,Bremen,"vip,beta"\nbroken,Nobody,,\n';

describe.skipIf(skipReason !== null)('people and webhooks in the dashboard', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig();
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  beforeEach(() => rig.wear({}));
  afterAll(() => rig.close());

  const button = (name: string) => rig.page.getByRole('button', { name, exact: true });
  const inDialog = (name: string) => rig.page.getByRole('dialog').getByRole('button', { name, exact: true });
  const status = (text: string) => rig.page.locator('main .mk-status', { hasText: text }).first();
  const rows = () => rig.page.locator('main tbody tr').allInnerTexts();

  it('has nothing for axe to find in its dialogs', async () => {
    const dialogs: [path: string, button: string][] = [
      ['/webhooks', 'Add endpoint'],
      ['/lists', 'New segment'],
      [`/webhooks/${rig.world.webhooks.good}`, 'Replay'],
      ['/contacts', 'Add contact'],
      [`/contacts/${rig.world.audience.contactId}`, 'Edit'],
      ['/suppressions', 'Import'],
      ['/exports', 'New export'],
    ];
    for (const [path, name] of firstOf(2, dialogs)) {
      await rig.visit(path);
      await button(name).click();
      await rig.page.getByRole('dialog').waitFor();
      await rig.settled();
      await picture(rig.browser, `dialog-${name.replaceAll(' ', '-')}`);
      await rig.expectNoViolations();
      rig.expectQuiet();
    }
  }, 60_000);

  it('adds an endpoint, shows its secret once, tests it and shows the request', async () => {
    const { page } = rig;
    await rig.visit('/webhooks');
    await button('Add endpoint').click();
    await page.getByRole('dialog').getByLabel('URL').fill(`${rig.program.hooks.url}/fresh`);
    await page.getByRole('dialog').getByLabel('Description').fill('Fresh endpoint');
    await page.getByText('Selected events').click();
    await page.getByRole('checkbox', { name: 'message.bounced' }).check();
    await inDialog('Add endpoint').click();
    await page.getByText(/^whsec_/).waitFor();
    await inDialog('Close').last().click();
    await page.getByRole('link', { name: 'Fresh endpoint' }).click();
    await button('Send test').click();
    await inDialog('Send test').click();
    await page.getByRole('link', { name: 'Message bounced' }).waitFor();
    await status('succeeded').waitFor();
    await page.getByRole('link', { name: 'Message bounced' }).click();
    const delivery = page.getByRole('dialog');
    await rig.expectNoViolations();
    await delivery.getByText(/Service-Signature: t=\d+,v1=[0-9a-f]{64}/).waitFor();
    expect(await delivery.innerText()).toContain('{"event":"message.bounced"');
    rig.expectQuiet();
  }, 30_000);

  it.runIf(isFullSize)('enables an endpoint again, and shows why it was disabled', async () => {
    await rig.open(`/webhooks/${rig.world.webhooks.disabled}`);
    expect(await rig.page.getByRole('alert').first().innerText()).toContain(
      'The endpoint returned 410 Gone.',
    );
    await button('Enable').click();
    await status('enabled').waitFor();
    rig.expectQuiet();
  });

  it.runIf(isFullSize)('names the field that is wrong', async () => {
    const { page } = rig;
    await rig.visit('/webhooks');
    await button('Add endpoint').click();
    await page.getByRole('dialog').getByLabel('URL').fill('ftp://files.example');
    await inDialog('Add endpoint').click();
    const field = page.getByRole('dialog').getByLabel('URL');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    rig.expectQuiet({ answers: [422] });
  });

  it('adds a contact with a custom field, unsubscribes and erases it', async () => {
    const { page } = rig;
    await rig.visit('/contacts');
    await button('Add contact').click();
    await page.getByLabel('Email address').fill('new.person@inbox.example');
    await button('Add field').click();
    await page.getByRole('textbox', { name: 'Field', exact: true }).fill('city');
    await page.getByRole('textbox', { name: 'Value: city' }).fill('Bremen');
    await inDialog('Add contact').click();
    await page.waitForURL(/contacts\/cnt_/);
    await page.getByText('Bremen').waitFor();
    await button('Unsubscribe').click();
    await inDialog('Unsubscribe').click();
    await status('unsubscribed').waitFor();
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Erase personal data' }).click();
    await page.getByLabel(/^Type new\.person/).fill('new.person@inbox.example');
    await inDialog('Erase data').click();
    await page.getByText('Data erased').waitFor();
    await inDialog('Close').last().click();
    await page.waitForURL(/\/contacts$/);
  }, 30_000);

  it.runIf(isFullSize)(
    'counts the matches of a bulk action before it runs',
    async () => {
      const { page } = rig;
      await rig.open('/contacts?tag=pottery');
      await button('Bulk actions').click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Tags' }).fill('potters');
      await inDialog('Preview matches').click();
      await page.getByText('Matches: 67.').waitFor();
      await inDialog('Add tags (67)').click();
      await page.waitForURL(/bulk-actions$/);
      await page.getByText('potters').waitFor();
      await expect.poll(async () => (await rows())[0], { timeout: 20_000 }).toContain('67 of 67');
    },
    30_000,
  );

  it('finds a list behind the first hundred by its name', async () => {
    const { url, keys } = rig.program.appliance;
    const live = new Mailkeel({ apiKey: keys.live_key, baseUrl: url });
    await live.lists.create({ name: 'Zither players' });
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => live.lists.create({ name: `Evening class ${i}` })),
    );
    await rig.open('/imports/new');
    const list = rig.page.getByRole('combobox', { name: 'List' });
    await list.fill('zither');
    await rig.page.getByRole('option', { name: 'Zither players' }).click();
    expect(await list.inputValue()).toBe('Zither players');
    const filter = { all: [{ field: 'tag' as const, op: 'has' as const, value: 'yoga' }] };
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => live.lists.create({ name: `Yoga group ${i}`, filter })),
    );
    await rig.open('/imports/new');
    await list.click();
    await rig.page.getByRole('option', { name: 'Evening class 99' }).waitFor();
    rig.expectQuiet();
  }, 30_000);

  it('keeps the chosen template of a message among others', async () => {
    await rig.open('/messages/new');
    await rig.page.getByText('Template', { exact: true }).click();
    const template = rig.page.getByRole('combobox', { name: 'Template' });
    await template.click();
    await rig.page.getByRole('option', { name: 'Monthly letter' }).first().click();
    await template.click();
    await rig.page.getByRole('option').nth(1).waitFor();
    await rig.page.keyboard.press('Escape');
  }, 30_000);

  it('suppresses an address, finds it, and removes it after a warning', async () => {
    const { page } = rig;
    await rig.visit('/suppressions');
    await button('Add address').click();
    await page.getByRole('dialog').getByLabel('Address').fill('stop@inbox.example');
    await inDialog('Add address').click();
    await page.getByText('Address suppressed.').waitFor();
    await button('Check address').click();
    await page.getByRole('dialog').getByLabel('Address').fill('stop@inbox.example');
    await inDialog('Check').click();
    await page.getByText(/stop@inbox\.example is suppressed/).waitFor();
    await inDialog('Cancel').click();
    await button('Remove: stop@inbox.example').click();
    await page.getByText('This address was added manually.').last().waitFor();
    await inDialog('Remove').click();
    await page.getByText('Suppression removed.').waitFor();
    await button('Remove: stop@inbox.example').waitFor({ state: 'detached' });
  }, 30_000);

  it("finds a sub-tenant's suppression of an address", async () => {
    const { page } = rig;
    const { url, keys } = rig.program.appliance;
    const live = new Mailkeel({ apiKey: keys.live_key, baseUrl: url });
    const tenant = rig.world.tenants.good;
    await live.suppressions.create({ email: 'part@inbox.example', sub_tenant_id: tenant });
    await rig.visit('/suppressions');
    await button('Check address').click();
    await page.getByRole('dialog').getByLabel('Address').fill('part@inbox.example');
    await inDialog('Check').click();
    await page.getByText('part@inbox.example is suppressed only for these sub-tenants:').waitFor();
    await page.getByRole('dialog').getByRole('link', { name: 'Kiln & Clay Studio' }).waitFor();
    await inDialog('Cancel').click();
    await button('Remove: part@inbox.example').click();
    await inDialog('Remove').click();
    await page.getByText('Suppression removed.').waitFor();
    rig.expectQuiet();
  }, 30_000);

  it.runIf(isFullSize)(
    'builds a segment and counts whom it finds meanwhile',
    async () => {
      const { page } = rig;
      await rig.open('/lists');
      await button('New segment').click();
      await page.getByRole('dialog').getByLabel('Name', { exact: false }).first().fill('Potters');
      await page.getByRole('textbox', { name: 'Value' }).fill('pottery');
      await page.getByText('67 matches').waitFor();
      await inDialog('New segment').click();
      await page.waitForURL(/lists\/lst_/);
      await page.getByText('Tag is pottery').waitFor();
      await rig.settled();
      expect((await rows()).length).toBe(50);
    },
    30_000,
  );

  it('imports a file: shows what its columns become, and the rows that were refused', async () => {
    const { page } = rig;
    await rig.visit('/imports/new');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
    const becomes = (name: string) => page.getByRole('combobox', { name: `Contact field for ${name}` });
    await becomes('city').waitFor();
    expect([await becomes('email').inputValue(), await becomes('city').inputValue()]).toEqual([
      'Email address',
      'Custom field',
    ]);
    await becomes('city').click();
    await page.getByRole('option', { name: 'Phone' }).click();
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && /imports\?/.test(request.url()),
    );
    await button('Start import').click();
    expect(new URL((await sent).url()).searchParams.get('columns[city]')).toBe('phone');
    await page.waitForURL(/imports\/imp_/);
    await page.getByText('The address has no @.').waitFor();
    expect(await page.locator('main').innerText()).toContain('2 of 2');
    rig.expectQuiet();
  }, 30_000);

  it.runIf(isFullSize)(
    'makes an export and downloads it',
    async () => {
      const { page } = rig;
      await rig.open('/exports');
      await button('New export').click();
      await page.getByRole('combobox', { name: 'Data' }).click();
      await page.getByRole('option', { name: 'Suppressions' }).click();
      await inDialog('New export').click();
      const link = page.getByRole('link', { name: /Download: Suppressions/ });
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect(download.suggestedFilename()).toMatch(/^exp_\w+\.csv$/);
      await download.delete();
    },
    30_000,
  );

  it.runIf(isFullSize)('shows the whole call of an import, with a file in place of the rows', async () => {
    await rig.visit('/imports/new');
    await button('API requests').click();
    const shown = rig.page.getByRole('dialog').locator('pre:visible').last();
    await shown.waitFor();
    expect(await shown.innerText()).toContain('--data-binary @rows.csv');
    await rig.page.getByRole('tab', { name: 'CLI' }).click();
    expect(await shown.innerText()).toBe('mailkeel imports create --file rows.csv');
  });

  it.runIf(isFullSize)(
    'shows viewers no buttons that they may not use',
    async () => {
      await rig.page.context().clearCookies();
      await rig.signIn('viewer');
      await rig.open('/contacts');
      expect(await button('Add contact').count()).toBe(0);
      await rig.open(`/webhooks/${rig.world.webhooks.good}`);
      expect(await button('Send test').count()).toBe(0);
      rig.expectQuiet();
    },
    30_000,
  );
});
