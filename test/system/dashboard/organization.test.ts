// The organization in the dashboard: events, requests, the audit log, usage, one's account, the people, the settings.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureChromium } from '../../support/chromium.js';
import { LOOKS, startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';
import { OWNER } from '../../support/dashboard/program.js';
import { picture } from '../../support/pictures.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: the organization in the dashboard: ${skipReason}`);

const PAGES: readonly (readonly [path: string, content: RegExp])[] = [
  ['/events', /Message delivered/],
  ['/events?area=domain', /Events/],
  ['/requests', /\/v1\//],
  ['/audit-log', /Olga Fernhill/],
  ['/usage', /transactional/],
  ['/account', /olga@fernhill\.example/],
  ['/people', /Vera Castellanos-Montgomery von Hohenstein/],
  ['/settings', /Postal address/],
  ['/settings?tab=pages', /Public pages/],
  ['/settings?tab=workspaces', /Fernhill Labs/],
];
/** A red point, as the smallest picture that a logo can be. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** The code of an authenticator app at this time: RFC 6238 with its defaults. */
function totpOf(secret: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(secret, (letter) => letter)
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

describe.skipIf(skipReason !== null)('the organization in the dashboard', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig();
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  beforeEach(() => rig.wear({}));
  afterAll(() => rig.close());

  it('has nothing for axe to find, asks the API alone and fits every window', async () => {
    for (const look of LOOKS) {
      await rig.wear(look);
      for (const [path, content] of PAGES) {
        await rig.open(path);
        await picture(rig.browser, `${path.replaceAll(/\W+/g, '-').slice(1)}-${look.name}`);
        expect(await rig.page.locator('main').innerText(), path).toMatch(content);
        await rig.expectNoViolations();
        expect(await rig.overflow(), `${path} ${look.name}`).toBeLessThanOrEqual(0);
        rig.expectQuiet();
      }
    }
  }, 240_000);

  it('opens an event, whose address can be sent to somebody', async () => {
    await rig.open('/events?events=message.bounced');
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

  it('shows a new event by itself', async () => {
    await rig.open('/events', { environment: 'test' });
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
    await rig.open('/requests?status=4xx&method=POST');
    await rig.page.locator('tbody a').first().click();
    const dialog = rig.page.getByRole('dialog', { name: 'POST /v1/messages' });
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain('messages.create');
    expect(await dialog.innerText()).toContain('First live key');
  });

  it('tells who did what, and finds it by the person and the deed', async () => {
    await rig.open('/audit-log');
    await rig.page.getByRole('combobox', { name: 'What was done' }).click();
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

  it('invites somebody, shows the link once, changes a role, and revokes', async () => {
    const { page } = rig;
    await rig.open('/people');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByLabel('Email address').fill('not an address@');
    await page.getByLabel('Email address').fill('ida@fernhill.example');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page
      .getByText(/invite#[\w-]{20,}|\/invitation#|#[\w-]{20,}/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'More actions: Mara Lindgren' }).click();
    await page.getByRole('menuitem', { name: 'Change the role' }).click();
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'viewer' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Mara Lindgren.*viewer/ }).waitFor();
    await page
      .getByRole('row', { name: /ida@fernhill/ })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: /ida@fernhill/ }).waitFor({ state: 'detached' });
    rig.expectQuiet();
  });

  it('saves the settings, shows the logo and says which field is wrong', async () => {
    const { page } = rig;
    await rig.open('/settings?tab=pages');
    await page.getByLabel('Colour of buttons and links').fill('#12');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/must match pattern/).waitFor();
    await page.getByLabel('Colour of buttons and links').fill('#0b6e4f');
    await page.locator('input[type=file]').setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: Buffer.from(LOGO, 'base64'),
    });
    await page.locator('.ph-brand-head img').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.reload();
    await rig.settled();
    expect(await page.getByLabel('Colour of buttons and links').inputValue()).toBe('#0b6e4f');
    expect(await page.locator('.ph-brand-head img').count()).toBe(1);
    rig.expectQuiet({ answers: [400, 422] });
  });

  it('makes a workspace, shows its keys once, and leads there', async () => {
    const { page } = rig;
    await rig.open('/settings?tab=workspaces');
    await page.getByRole('button', { name: 'New workspace' }).click();
    await page.getByLabel('Name').fill('Fernhill North');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText(/^svc_live_/).waitFor();
    await page.getByRole('link', { name: 'Go there' }).click();
    await page.waitForURL((url) => !url.pathname.includes(rig.program.appliance.keys.workspace_id));
    await page.getByRole('button', { name: /Workspace and environment: Fernhill North/ }).waitFor();
  });

  it('adds an authenticator app, shows the recovery codes once, and removes the app', async () => {
    const { page } = rig;
    await rig.open('/account');
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    await page.getByLabel('Your password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('img', { name: 'QR code with the secret' }).waitFor();
    await rig.expectNoViolations();
    const secret = await page.getByText(/^[A-Z2-7]{16,}$/).innerText();
    await page.getByLabel('Code that the app shows').fill(totpOf(secret));
    await page.getByRole('button', { name: 'Confirm the code' }).click();
    await page.getByText('From now on, signing in asks for a code').waitFor();
    const codes = (await page.getByRole('dialog').locator('pre').innerText()).split('\n');
    expect(codes.length).toBeGreaterThanOrEqual(8);
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Remove the app' }).click();
    await page.getByLabel('Your password').fill(OWNER.password);
    await page.getByLabel('Code of the app, or a recovery code').fill(codes[0] ?? '');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the app' }).click();
    await page.getByRole('button', { name: 'Add an authenticator app' }).waitFor();
  });

  it('ends all other sessions', async () => {
    const { page } = rig;
    await rig.open('/account');
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await page.getByText('All other sessions have ended.').waitFor();
    await page.getByRole('row', { name: /node/ }).first().waitFor({ state: 'detached' });
    expect(await page.getByText('this one').count()).toBe(1);
  });

  it('lets a viewer look and change nothing', async () => {
    await rig.browser.page.context().clearCookies();
    await rig.signIn('viewer');
    await rig.open('/people');
    expect(await rig.page.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0);
    expect(await rig.page.getByRole('button', { name: /More actions: Adam/ }).count()).toBe(0);
    await rig.open('/settings');
    await rig.expectNoViolations();
    expect(await rig.page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    for (const path of ['/usage', '/audit-log', '/requests', '/events', '/account']) {
      await rig.open(path);
      expect(await rig.page.getByText('That did not work').count(), path).toBe(0);
    }
    await rig.open('/audit-log');
    await rig.page.getByRole('heading', { name: 'Your role does not see this' }).waitFor();
    rig.expectQuiet();
  });
});
