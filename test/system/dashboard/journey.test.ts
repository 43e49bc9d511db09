// Tests the way from an empty server to real mail, using only the pages: a domain proven by DNS, a postal address, people on a
// list, a template, a campaign whose copies are reviewed first, and its signed mail at the recipients' server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Mailkeel } from '../../../clients/sdk/src/index.js';
import { ensureChromium } from '../../support/chromium.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: the journey through the dashboard: ${skipReason}`);

const DOMAIN = 'herons.example';
const PEOPLE = ['ann@inbox.example', 'ben@posteo.example'];

describe.skipIf(skipReason !== null)('the journey through the dashboard', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig({ world: 'none' });
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  afterAll(() => rig.close());

  const button = (name: string | RegExp) => rig.page.getByRole('button', { name }).last();
  const field = (name: string) => rig.page.getByRole('textbox', { name, exact: true });
  const inDialog = (name: string | RegExp) =>
    rig.page.getByRole('dialog').getByRole('button', { name }).last();
  const tab = (name: string) => rig.page.getByRole('tab', { name }).click();

  it('leads from nothing to a campaign at its recipients', async () => {
    const { page } = rig;
    const { url, keys } = rig.program.appliance;
    const live = new Mailkeel({ apiKey: keys.live_key, baseUrl: url });

    await rig.visit('/senders');
    await button('Add sender').click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Domain' }).fill(DOMAIN);
    await inDialog('Add sender').click();
    await page.waitForURL(/senders\/snd_/);
    await rig.settled();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    // Publishes the records on the page, as the owner of the DNS does.
    rig.program.publish((await live.senders.get(id)).dns_records);
    await button('Check now').click();
    await page.getByText('The required record is valid').waitFor();

    await rig.visit('/settings');
    await field('Postal address').fill('Herons, 1 Old Pier, Halden');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.').first().waitFor();

    await rig.visit('/lists');
    await button('New list').click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Friends');
    await inDialog('New list').click();
    await page.waitForURL(/lists\/lst_/);
    for (const person of PEOPLE) {
      await button('Add contact').click();
      await page.getByRole('dialog').getByRole('textbox').first().fill(person);
      await inDialog('Add contact').click();
      await page.getByRole('link', { name: person }).waitFor();
    }

    await rig.visit('/templates/new');
    await field('Name').fill('Letter');
    await button('New template').click();
    await page.waitForURL(/templates\/tpl_/);

    await rig.visit('/campaigns/new');
    await field('Name').fill('First letter');
    await button('New campaign').click();
    await page.waitForURL(/campaigns\/cmp_/);
    await rig.settled();
    for (const label of ['List', 'Template']) {
      await page.getByRole('combobox', { name: label }).first().click();
      await page.getByRole('option').first().click();
      await rig.settled();
    }
    await field('Subject').fill('Good to have you, {{email}}');
    await page.getByRole('combobox', { name: 'From', exact: true }).fill(`Herons <hello@${DOMAIN}>`);
    await button('Save').click();
    await rig.settled();
    await tab('Copies');
    await page
      .getByText(`Good to have you, ${PEOPLE[1] ?? ''}`)
      .or(page.getByText(`Good to have you, ${PEOPLE[0] ?? ''}`))
      .first()
      .waitFor();
    await tab('Send');
    await button(/^Send to 2 recipients$/).click();
    await inDialog(/^Send to 2 recipients$/).click();
    await page.getByText('Mailkeel has attempted delivery to every recipient.').waitFor();
    rig.expectQuiet();

    const arrived = rig.program.sink.messages;
    expect(arrived.flatMap(({ rcptTo }) => rcptTo).toSorted()).toEqual(PEOPLE);
    for (const { raw } of arrived) {
      const text = raw.toString();
      expect(text).toMatch(new RegExp(`DKIM-Signature:[^]*?d=${DOMAIN}`));
      expect(text).toContain('Herons, 1 Old Pier, Halden');
    }
  }, 120_000);
});
