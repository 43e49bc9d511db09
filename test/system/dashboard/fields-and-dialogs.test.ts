// Tests fields of forms, which report that nothing matches and stay on one line, and dialogs, which open with the focus on a safe
// element.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Mailkeel } from '../../../clients/sdk/src/index.js';
import { ensureChromium } from '../../support/chromium.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: fields and dialogs: ${skipReason}`);

describe.skipIf(skipReason !== null)('the dashboard', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig();
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  beforeEach(() => rig.wear({}));
  afterAll(() => rig.close());

  it('says in each field of choices that nothing matches, and offers to make one', async () => {
    const { page } = rig;
    await rig.open('/campaigns/new');
    const made = [
      ['List', 'New list'],
      ['Template', 'New template'],
    ] as const;
    for (const [label, make] of made) {
      await page.getByRole('combobox', { name: label }).first().fill('xyz');
      await page.getByText('Nothing found for “xyz”').waitFor();
      await page.getByRole('option', { name: make }).waitFor();
    }
    await page.keyboard.press('ArrowDown');
    const [opened] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
    expect(opened.url()).toMatch(/\/templates\/new$/);
    await opened.close();
    await rig.open('/suppressions');
    await page.getByRole('combobox', { name: 'Sub-tenant' }).fill('xyz');
    await page.getByText('Nothing found for “xyz”').waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
    await rig.open('/');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox').fill('xyzxyz');
    await page.getByText('Nothing found for “xyzxyz”').waitFor();
    await page.keyboard.press('Escape');
  }, 60_000);

  it('says of a search that nothing matches only once it has an answer', async () => {
    const { page } = rig;
    await rig.open('/campaigns/new');
    const list = page.getByRole('combobox', { name: 'List' }).first();
    await list.fill('xyz');
    await page.getByText('Nothing found for “xyz”').waitFor();
    let release: (value: null) => void = () => undefined;
    const held = new Promise<null>((resolve) => (release = resolve));
    await page.route('**/v1/lists?*q=Monthly*', (route) => held.then(() => route.continue()));
    const asked = page.waitForRequest('**/v1/lists?*q=Monthly*');
    await list.fill('Monthly');
    await asked;
    await page.getByRole('listbox').getByText('Loading').waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
    release(null);
    await page.getByRole('option', { name: 'Monthly letter' }).waitFor();
    await page.unroute('**/v1/lists?*q=Monthly*');
    await page.route('**/v1/lists?*q=broken*', (route) => route.abort());
    await list.fill('broken');
    await page.getByRole('listbox').getByText(/reach/).waitFor();
    await page.unroute('**/v1/lists?*q=broken*');
    rig.complaints.length = 0;
  }, 60_000);

  it('finds an object that was created in the other tab', async () => {
    const { page } = rig;
    await rig.open('/campaigns/new');
    await page.getByRole('combobox', { name: 'List' }).first().fill('Fresh');
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('option', { name: 'New list' }).click(),
    ]);
    await opened.getByRole('dialog', { name: 'New list' }).waitFor();
    expect(opened.url()).toMatch(/\/lists$/);
    await opened.close();
    const { keys } = rig.program.appliance;
    await new Mailkeel({ apiKey: keys.live_key, baseUrl: rig.url }).lists.create({ name: 'Fresh air' });
    await page.evaluate('window.dispatchEvent(new Event("focus"))');
    await page.getByRole('combobox', { name: 'List' }).first().click();
    await page.getByRole('option', { name: 'Fresh air' }).waitFor();
  }, 60_000);

  it('shows in Get started at once what another tab has done', async () => {
    const { page } = rig;
    const { keys } = rig.program.appliance;
    const { organization } = new Mailkeel({ apiKey: keys.live_key, baseUrl: rig.url });
    const { name } = await organization.get();
    await rig.open('/get-started');
    await page.getByText(name, { exact: true }).last().waitFor();
    await organization.update({ name: 'Renamed meanwhile' });
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
    await page.getByText('Renamed meanwhile').last().waitFor({ timeout: 5_000 });
    await organization.update({ name });
  }, 60_000);

  it('keeps fields side by side on one line, with hints and errors of any length', async () => {
    const { page } = rig;
    for (const width of [1280, 1024]) {
      await rig.wear({ width, height: 900 });
      await rig.open('/sequences/new');
      await page.getByRole('button', { name: 'Add step' }).click();
      await page.getByRole('menuitem', { name: 'Branch' }).click();
      expect([width, await rig.unaligned()]).toEqual([width, []]);
      await rig.open('/account/alerts');
      await page.getByRole('textbox', { name: 'URL' }).fill('ftp://files.example/');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.mk-fields .mantine-InputWrapper-error').first().waitFor();
      expect([width, await rig.unaligned()]).toEqual([width, []]);
      await rig.open(`/campaigns/${rig.world.campaigns.draft}?tab=plan`);
      await page.getByRole('button', { name: 'Add variant' }).click();
      await page.getByRole('button', { name: 'Add A/B test' }).click();
      expect([width, await rig.unaligned()]).toEqual([width, []]);
    }
    rig.complaints.length = 0;
  }, 60_000);

  it('sets typed text in the typeface of code, but never its label', async () => {
    const { page } = rig;
    await rig.open('/messages/new', { environment: 'test' });
    const fontOf = (place: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('.mantine-InputWrapper-root.mk-mono ${place}')).fontFamily`,
      );
    expect(await fontOf('label')).toContain('IBM Plex Sans');
    expect(await fontOf('.mantine-InputWrapper-description')).toContain('IBM Plex Sans');
    expect(await fontOf('textarea')).toContain('IBM Plex Mono');
  }, 60_000);

  describe('opens each kind of dialog with the focus where it is safe, and gives it back:', () => {
    const openedBy = ['click', 'Enter', 'Space', 'touch'] as const;

    /** The text of the focused button, the label of the focused field, or the text of the dialog. */
    const focused = () =>
      rig.page.evaluate<string>(`(() => {
        const { activeElement: at } = document;
        if (at.closest('[role="dialog"]') === null) return 'outside';
        if (at.matches('.mk-dialog-body')) return 'the text';
        return at.labels?.[0]?.textContent ?? at.getAttribute('aria-label') ?? at.textContent;
      })()`);

    async function opens(name: string | RegExp, expected: string): Promise<void> {
      const { page } = rig;
      const button = page.locator('#page').getByRole('button', { name }).first();
      for (const way of openedBy) {
        if (way === 'click') await button.click();
        else if (way === 'touch') await button.dispatchEvent('click', { detail: 1, pointerType: 'touch' });
        else await button.press(way);
        await page.getByRole('dialog').waitFor();
        await expect.poll(async () => [way, await focused()]).toEqual([way, expected]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        if (way === 'touch') continue;
        await expect.poll(() => button.and(page.locator(':focus')).count()).toBe(1);
      }
    }

    it('a form begins with its first field', async () => {
      const { page } = rig;
      await rig.open('/api-keys');
      await opens('Create key', 'Name *');
      await rig.open('/senders');
      await opens('Add sender', 'Domain *');
      await rig.open('/queue');
      await opens('Cancel queued messages', 'Recipient or subject contains');
      await rig.open(`/webhooks/${rig.world.webhooks.good}`);
      await opens('Send test', 'Event');
      expect(await page.getByRole('listbox').count()).toBe(0);
    }, 60_000);

    it('a secret that is shown once begins with its text, not with the button that hides it', async () => {
      const { page } = rig;
      await rig.open('/api-keys');
      await page.getByRole('button', { name: 'Create key' }).first().press('Enter');
      await page.keyboard.type('For a test');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByText('svc_live_').waitFor();
      await expect.poll(focused).toBe('the text');
      await page.keyboard.press('Escape');
    }, 60_000);

    it('a question begins with Cancel, dangerous or not', async () => {
      const { page } = rig;
      const { live, audience } = rig.world;
      await rig.open(`/messages/${live.bounced}`);
      await opens('Remove suppression and resend', 'Cancel');
      await rig.open(`/lists/${audience.openList}?tab=form`);
      await opens('Replace key', 'Cancel');
      await page.locator('#page').getByRole('button', { name: 'More actions' }).first().press('Enter');
      await page.getByRole('menuitem', { name: /Delete/ }).press('Enter');
      await expect.poll(focused).toBe('Cancel');
      await page.keyboard.press('Escape');
    }, 60_000);

    it('a page that would lose changes begins with staying', async () => {
      const { page } = rig;
      await rig.open('/messages/new');
      await page.getByRole('textbox', { name: 'Subject' }).fill('Welcome');
      await page.getByRole('link', { name: 'Contacts' }).press('Enter');
      await expect.poll(focused).toBe('Keep editing');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await rig.open('/messages');
    }, 60_000);

    it('samples, rows and keys begin with their text', async () => {
      const { page } = rig;
      await rig.open('/events');
      await opens('API requests', 'the text');
      await page.locator('#page tbody a').first().press('Enter');
      await expect.poll(focused).toBe('the text');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await expect.poll(focused).toBe('the text');
      await page.keyboard.press('Escape');
    }, 60_000);
  });
});
