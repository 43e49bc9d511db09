// Tests templates, campaigns and sequences in a browser: every page in every look, and the main tasks as people do them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { designOf } from '../../../clients/dashboard/src/pages/templates/blocks/design.js';
import { htmlOf } from '../../../clients/dashboard/src/pages/templates/blocks/render.js';
import { ensureChromium } from '../../support/chromium.js';
import { groundOf } from '../../support/dashboard/ground.js';
import { LOOKS, startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';
import { picture } from '../../support/pictures.js';
import { isFullSize } from '../../support/run-size.js';
import { waitFor } from '../../support/wait.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: content and campaigns in a browser: ${skipReason}`);

/** Text that has not appeared by then will not appear. */
const SLOWEST_MS = 8_000;

describe.skipIf(skipReason !== null)('content and campaigns', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig();
    await rig.wear({});
    rig.page.setDefaultTimeout(SLOWEST_MS);
    await rig.signIn();
  }, 120_000);
  beforeEach(() => rig.wear({}));
  afterAll(() => rig.close());

  const text = () => rig.page.locator('main').innerText();
  const button = (name: string | RegExp) => rig.page.getByRole('button', { name });
  const field = (name: string) => rig.page.getByRole('textbox', { name, exact: true });

  /** Clicks, and waits until the page is idle. */
  async function press(name: string | RegExp): Promise<void> {
    await button(name).last().click();
    await rig.settled();
  }

  async function confirm(name: string | RegExp): Promise<void> {
    await rig.page.getByRole('dialog').getByRole('button', { name }).last().click();
    await rig.page.getByRole('dialog').waitFor({ state: 'detached' });
    await rig.settled();
  }

  const pages = (): [path: string, content: string][] => {
    const { templates, campaigns, sequences } = rig.world;
    return [
      ['/templates/new', 'Start with'],
      [`/templates/${templates.letter}?tab=versions`, 'Fourteen new courses'],
      [`/templates/${templates.letter}?tab=settings`, templates.letter],
      ['/campaigns/new', 'Not visible to recipients.'],
      [`/campaigns/${campaigns.draft}`, 'Variants by tag'],
      [`/campaigns/${campaigns.draft}?tab=send`, 'Send campaign'],
      [`/campaigns/${campaigns.empty}?tab=copies`, 'No copies'],
      [`/campaigns/${campaigns.empty}?tab=send`, 'Choose a list and a template'],
      [`/campaigns/${campaigns.sending}?tab=plan`, 'because copies have already been sent'],
      [`/campaigns/${campaigns.scheduled}`, 'Scheduled for'],
      ['/sequences/new', 'Add step'],
      [`/sequences/${sequences.onboarding}?tab=enrollments`, 'Cancel enrollment'],
    ];
  };

  it('shows the data on the pages that every-page does not open', async () => {
    for (const [path, content] of pages()) {
      await rig.visit(path);
      expect(await text(), path).toContain(content);
      rig.expectQuiet();
    }
  }, 120_000);

  it('builds a template of blocks by keyboard and buttons, and keeps it from being lost', async () => {
    await rig.visit('/templates/new');
    await field('Name').fill('Autumn news');
    await press('New template');
    await rig.page.waitForURL(/\/templates\/tpl_/);
    await rig.settled();
    await button('Add block').press('Enter');
    await rig.page.getByRole('menuitem', { name: 'Button' }).press('Enter');
    await field('Label').fill('Book <now>');
    await field('Link URL').fill('javascript:alert(1)');
    expect(await text()).toContain('Must start with https://');
    await field('Link URL').fill('https://fernhill.example/courses');
    await button('Move up: Button 3').press('Enter');
    expect(await rig.page.getByRole('status').allInnerTexts()).toContain('Button is now 2 of 3.');
    // Dragged to the end and back, and moved by a key as well.
    const heads = rig.page.locator('.mk-block-head');
    const order = () => heads.locator('strong').allInnerTexts();
    await heads.nth(1).dragTo(heads.nth(2));
    expect(await order()).toEqual(['Heading', 'Text', 'Button']);
    await heads.nth(2).getByRole('button', { expanded: true }).press('Alt+ArrowUp');
    expect(await order()).toEqual(['Heading', 'Button', 'Text']);
    await rig.page.getByRole('link', { name: 'Campaigns' }).click();
    await rig.page.getByRole('dialog').waitFor();
    await confirm('Keep editing');
    await press('Save as new version');
    expect(await text()).toContain('Version 2');
    const id = rig.page.url().split('/').at(-1) ?? '';
    const saved = await groundOf(rig.program).live.templates.get(id);
    expect(saved.html).toContain('Book &lt;now&gt;');
    expect(saved.html).toContain('href="https://fernhill.example/courses"');
    expect(saved.design).toMatchObject({
      blocks: [{ type: 'heading' }, { type: 'button' }, { type: 'text' }],
    });
    rig.expectQuiet();
  }, 30_000);

  it('edits the text of blocks in place, by mouse and by keyboard', async () => {
    await rig.visit('/templates/new');
    await field('Name').fill('Written in place');
    await rig.page.getByRole('combobox', { name: 'Starter' }).click();
    await rig.page.getByRole('option', { name: 'Receipt' }).click();
    await press('New template');
    await rig.page.waitForURL(/\/templates\/tpl_/);
    await rig.settled();
    await press('Add block');
    await rig.page.getByRole('menuitem', { name: 'Two columns' }).press('Enter');
    const part = (name: string) =>
      rig.page.getByRole('radiogroup', { name: 'Format' }).getByText(name, { exact: true }).click();
    await part('Visual');
    const canvas = rig.page.getByRole('region', { name: 'Email canvas' });
    await canvas.getByText('Your receipt').click();
    await field('Heading 1').fill('Paid <img src=x onerror="document.title=1">\nin full');
    await field('Heading 1').press('Escape');
    const focused = () => rig.page.evaluate<string>('document.activeElement.textContent');
    expect(await focused()).toContain('Paid <img src=x');
    // The next text is a Tab away, and Enter edits it.
    await rig.page.keyboard.press('Tab');
    await rig.page.keyboard.press('Enter');
    await field('Text 2').press('End');
    await rig.page.keyboard.type(' See {{<b>x</b>}} **soon**.');
    await rig.page.keyboard.press('Escape');
    expect(await focused()).toContain('x}} soon.');
    // Both columns are empty, and show their headings.
    await canvas.getByRole('button', { name: 'Text 1' }).first().click();
    await field('Text 1').fill('Left');
    await canvas.getByText('View order').click();
    await field('Button 6').fill('Open order');
    await field('Button 6').press('Enter');
    expect(await canvas.getByRole('button', { name: 'Text 1' }).count()).toBe(1);
    expect(await canvas.locator('img, b').count()).toBe(0);
    await canvas.getByText('x}} soon.').click();
    await field('Text 2').fill('Thank you for order **{{order_number}}**.');
    for (const { name, ...look } of LOOKS) {
      await rig.wear(look);
      await rig.settled();
      // Colors that are still changing are not what people read.
      await rig.page.evaluate(
        'Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))',
      );
      await rig.expectNoViolations();
      await picture(rig.browser, `canvas-${name}`);
    }
    await rig.wear({});
    await press('Save as new version');
    const id = rig.page.url().split('/').at(-1) ?? '';
    const saved = await groundOf(rig.program).live.templates.get(id);
    expect(saved.design).toMatchObject({
      blocks: [
        { text: 'Paid <img src=x onerror="document.title=1"> in full' },
        { text: 'Thank you for order **{{order_number}}**.' },
        { type: 'divider' },
        { text: expect.stringContaining('{{amount}}') as string },
        { type: 'divider' },
        { label: 'Open order', href: 'https://example.com' },
        { type: 'footer' },
        { columns: [[{ text: 'Left' }], [{ text: '' }]] },
      ],
    });
    expect(saved.html).toContain('Paid &lt;img src=x onerror=');
    await part('Blocks');
    expect(await text()).toContain('Open order');
    rig.expectQuiet({ answers: [422] });
  }, 30_000);

  it('saves a block under a name, inserts it into another template, renames and deletes it', async () => {
    const begin = async (name: string) => {
      await rig.visit('/templates/new');
      await field('Name').fill(name);
      await press('New template');
      await rig.page.waitForURL(/\/templates\/tpl_/);
      await rig.settled();
      return rig.page.url().split('/').at(-1) ?? '';
    };
    await begin('First with blocks');
    await field('Text').fill('Fernhill, 1 High Street');
    await press('Save for reuse: Heading 1');
    await rig.page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Address line');
    await confirm('Save block');
    await press('Discard changes');
    const second = await begin('Second with blocks');
    await press('Add block');
    await rig.page.getByRole('menuitem', { name: 'Address line' }).press('Enter');
    expect(await field('Text').inputValue()).toBe('Fernhill, 1 High Street');
    await press('Save as new version');
    await press('Add block');
    await rig.page.getByRole('menuitem', { name: 'Manage saved blocks' }).press('Enter');
    await rig.page.getByRole('button', { name: 'Rename: Address line' }).click();
    await rig.page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Address');
    await rig.page.getByRole('dialog').getByRole('button', { name: 'Rename', exact: true }).click();
    await rig.page.getByRole('button', { name: 'Delete: Address' }).waitFor();
    await rig.expectNoViolations();
    await picture(rig.browser, 'saved-blocks');
    await rig.page.getByRole('button', { name: 'Delete: Address' }).click();
    await rig.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await rig.page.getByText('No saved blocks yet.').waitFor();
    await rig.page.keyboard.press('Escape');
    const saved = await groundOf(rig.program).live.templates.get(second);
    expect(saved.html).toContain('Fernhill, 1 High Street');
    expect(saved.design).toMatchObject({
      blocks: [{ id: '1' }, { id: '2' }, { id: '3', type: 'heading', text: 'Fernhill, 1 High Street' }],
    });
    rig.expectQuiet();
  }, 30_000);

  it('begins with each starter, which renders completely and opens again as it was saved', async () => {
    const languages = isFullSize ? (['en', 'de'] as const) : (['en'] as const);
    const { live } = groundOf(rig.program);
    for (const language of languages) {
      await rig.page.evaluate(`localStorage.setItem('mailkeel.language', '${language}')`);
      for (const at of [0, 1, 2, 3]) {
        await rig.open('/templates/new');
        await rig.page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Starter ${language} ${at}`);
        await rig.page.getByRole('combobox', { name: /^Start(er|vorlage)$/ }).click();
        await rig.page.getByRole('option').nth(at).click();
        await rig.page.locator('main button[type="submit"]').click();
        await rig.page.waitForURL(/\/templates\/tpl_/);
        await rig.settled();
        const id = rig.page.url().split('/').at(-1) ?? '';
        const saved = await live.templates.get(id);
        const design = designOf(saved.design);
        if (design === null) throw new Error(`starter ${at} was not saved as blocks`);
        expect(htmlOf(design)).toBe(saved.html);
        expect(await rig.page.locator('.mk-blocks').first().locator('> li').count()).toBe(
          design.blocks.length,
        );
        const variables = Object.fromEntries(saved.variables.map((name) => [name, `<${name}>`]));
        const filled = await live.templates.render(id, { variables });
        expect(filled.missing).toEqual([]);
        expect(filled.html).not.toContain('{{');
        for (const name of saved.variables) expect(filled.html).toContain(`&lt;${name}&gt;`);
        await picture(rig.browser, `starter-${language}-${at}`);
      }
    }
    await rig.page.evaluate(`localStorage.setItem('mailkeel.language', 'en')`);
    rig.expectQuiet();
  }, 90_000);

  it('shows unsaved source filled, and an error at its line', async () => {
    const { letterPottery } = rig.world.templates;
    await rig.visit(`/templates/${letterPottery}`);
    const editor = rig.page.getByRole('textbox', { name: 'HTML' });
    await editor.fill('<p>Dear {{who}}</p>\n{{#if plan}}');
    await rig.page.getByText(/Line \d:/).waitFor();
    await editor.fill('<p>Dear {{who}}</p>');
    await field('who no value').fill('Zoë');
    const frame = rig.page.frameLocator('iframe').locator('p');
    await waitFor(
      'the preview',
      () => frame.first().innerText(),
      (shown) => shown === 'Dear Zoë',
    );
    await press('Discard changes');
    rig.expectQuiet({ answers: [422] });
  }, 30_000);

  it.runIf(isFullSize)(
    'compares and restores versions',
    async () => {
      const { letter } = rig.world.templates;
      await rig.open(`/templates/${letter}?tab=versions&from=1&to=2`);
      expect(await text()).toMatch(/removed:\s+What is on in/);
      await rig.page
        .getByRole('row', { name: /Version 2/ })
        .getByRole('button', { name: 'Restore' })
        .click();
      await confirm('Restore');
      expect(await text()).toContain('Version 4');
      rig.expectQuiet();
    },
    30_000,
  );

  it("edits one recipient's copy and takes the edit back", async () => {
    const { draft } = rig.world.campaigns;
    await rig.visit(`/campaigns/${draft}?tab=copies`);
    const row = rig.page.locator('.mk-inbox-row').first();
    await row.click();
    await rig.settled();
    await press('Edit copy');
    const own = field('Subject');
    expect(await own.inputValue()).not.toBe('');
    expect(await own.inputValue()).not.toContain('{{');
    expect(await button('Save copy').isDisabled()).toBe(true);
    const editor = await rig.page.locator('.cm-content').innerText();
    expect(editor).toContain('<');
    expect(editor.replaceAll('{{unsubscribe_url}}', '')).not.toContain('{{');
    await own.fill('Only for you, {{first_name}}');
    await press('Save copy');
    await rig.page.getByText('Only for you, ').first().waitFor();
    expect(await text()).toContain('edited');
    await press('Discard edits');
    await confirm('Discard edits');
    expect(await text()).not.toContain('Only for you, ');
    rig.expectQuiet();
  }, 30_000);

  it('plans, checks and sends a campaign, follows it, and duplicates it', async () => {
    const sandbox = { environment: 'test' } as const;
    await rig.visit('/campaigns/new', sandbox);
    await field('Name').fill('Small news');
    await press('New campaign');
    await rig.page.waitForURL(/\/campaigns\/cmp_/);
    await rig.settled();
    const id = rig.page.url().split('/').at(-1) ?? '';
    for (const label of ['List', 'Template']) {
      await rig.page.getByRole('combobox', { name: label }).first().click();
      await rig.page.getByRole('option').first().click();
      await rig.settled();
    }
    await field('Subject').fill('News for {{first_name}}');
    await rig.page.getByRole('tab', { name: 'Preflight' }).click();
    await rig.settled();
    await rig.page.getByRole('tab', { name: 'Setup' }).click();
    await press('Save');
    await waitFor(
      'the subject to be saved',
      () => groundOf(rig.program).sandbox.campaigns.get(id),
      ({ subject }) => subject === 'News for {{first_name}}',
    );
    await rig.page.getByRole('tab', { name: 'Send' }).click();
    await rig.settled();
    await press(/^Send to \d+ recipients?$/);
    await confirm('Send despite failed checks');
    await waitFor(
      'the campaign to be sent',
      () => groundOf(rig.program).sandbox.campaigns.get(id),
      ({ status }) => status === 'sent',
    );
    await rig.page.getByText('Mailkeel has attempted delivery to every recipient.').waitFor();
    await press('More actions');
    await rig.page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await rig.page.getByRole('dialog').getByRole('textbox').fill('Small news, again');
    await confirm('Duplicate');
    await rig.page.getByRole('heading', { level: 1, name: 'Small news, again' }).waitFor();
    rig.expectQuiet();
  }, 60_000);

  it('names the failed checks before a campaign is sent or scheduled', async () => {
    const { draft } = rig.world.campaigns;
    const failed = { code: 'links', status: 'fail', message: 'A link is empty.', details: {} };
    const preflight = `**/v1/campaigns/${draft}/preflight*`;
    await rig.page.route(preflight, async (route) => {
      const answer = await route.fetch();
      const found = (await answer.json()) as Record<string, unknown>;
      await route.fulfill({ response: answer, json: { ...found, ready: false, checks: [failed] } });
    });
    await rig.visit(`/campaigns/${draft}?tab=send`);
    const dialog = rig.page.getByRole('dialog');
    await press(/^Send to \d+ recipients?$/);
    await dialog.getByText('1 check failed').waitFor();
    await dialog.getByRole('button', { name: 'Send despite failed checks' }).waitFor();
    await rig.page.keyboard.press('Escape');
    await rig.page.getByText('Schedule', { exact: true }).click();
    await rig.page.getByLabel('Date and time').fill('2027-05-01T09:00');
    await press('Schedule campaign');
    await dialog.getByRole('button', { name: 'Schedule despite failed checks' }).waitFor();
    await rig.page.keyboard.press('Escape');
    await rig.page.unroute(preflight);
  });

  it('prevents sending a campaign before its preflight was read, and reports a preflight that could not run', async () => {
    const { draft } = rig.world.campaigns;
    const preflight = `**/v1/campaigns/${draft}/preflight*`;
    let release: (value: null) => void = () => undefined;
    const held = new Promise<null>((resolve) => (release = resolve));
    await rig.page.route(preflight, (route) => held.then(() => route.abort()));
    // Not `open`, because the page does not become idle.
    const { workspace_id: workspace } = rig.program.appliance.keys;
    await rig.page.goto(`${rig.url}/${workspace}/live/campaigns/${draft}?tab=send`);
    const send = rig.page.getByRole('button', { name: /^Send to \d+ recipients?$/ });
    await send.waitFor();
    expect(await send.isEnabled()).toBe(false);
    release(null);
    await send.click();
    await rig.page.getByRole('dialog').getByText('The preflight could not run').waitFor();
    await rig.page.keyboard.press('Escape');
    await rig.page.unroute(preflight);
    rig.complaints.length = 0;
  });

  it('names the person who changed a campaign meanwhile, keeps the input, and saves it on the second attempt', async () => {
    const { draft } = rig.world.campaigns;
    const { appliance } = rig.program;
    await rig.visit(`/campaigns/${draft}`);
    await field('Name').fill('Typed here');
    const changed = await fetch(`${appliance.url}/v1/campaigns/${draft}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${appliance.keys.live_key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ subject: 'Changed elsewhere' }),
    });
    expect(changed.status).toBe(200);
    await button('Save').click();
    const alert = await rig.page.locator('main').getByRole('alert').innerText();
    expect(alert).toContain('First live key changed this');
    expect(alert).toContain('(subject)');
    expect(await field('Name').inputValue()).toBe('Typed here');
    await press('Save');
    expect(await rig.page.getByRole('heading', { level: 1 }).innerText()).toContain('Typed here');
    rig.expectQuiet({ answers: [412] });
  });

  it('pauses and resumes a campaign', async () => {
    const { sending } = rig.world.campaigns;
    await rig.visit(`/campaigns/${sending}`);
    await press('Pause');
    await button('Resume').waitFor();
    await press('Resume');
    await button('Pause').waitFor();
    rig.expectQuiet();
  }, 30_000);

  it('changes a sequence step by step, and removes a contact from it', async () => {
    const { onboarding } = rig.world.sequences;
    await rig.visit(`/sequences/${onboarding}/edit`);
    await press('Move step 1 down');
    await press('Move step 2 up');
    await field('Hours').fill('72');
    await press('Save');
    await rig.page.getByText('Wait 3 days').first().waitFor();
    await rig.visit(`/sequences/${onboarding}?tab=enrollments`);
    await press('Cancel enrollment');
    await waitFor('nobody else to be taken out', text, (shown) => shown.includes('canceled'));
    expect(await text()).toContain('canceled');
    rig.expectQuiet();
  }, 30_000);

  it.runIf(isFullSize)(
    'speaks German',
    async () => {
      await rig.open('/campaigns');
      await rig.page.evaluate(`localStorage.setItem('mailkeel.language', 'de')`);
      await rig.open(`/campaigns/${rig.world.campaigns.draft}`);
      expect(await text()).toContain('Varianten nach Schlagwort');
      await rig.page.evaluate(`localStorage.setItem('mailkeel.language', 'en')`);
    },
    30_000,
  );
});
