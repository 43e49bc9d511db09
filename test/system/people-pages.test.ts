// Tests the pages behind the links of setup, invitation and password reset in Chromium: they keep their own policy, and work.
import type { AddressInfo } from 'node:net';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstStart } from '../../src/accounts/first-start.js';
import { ensureChromium, startChromium, type Browser } from '../support/chromium.js';
import { picture } from '../support/pictures.js';
import { OWNER, PASSWORD, startPeopleRig, type PeopleRig } from '../support/people-rig.js';
import { waitFor } from '../support/wait.js';
import { members } from '../../src/accounts/people/people.tables.js';
import { remove } from '../../src/database/rows.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: pages in a browser: ${skipReason}`);

const PUBLIC_URL = 'http://people.example.test';
const PHONE = { width: 360, height: 740 };

describe.skipIf(skipReason !== null)('the pages for people', () => {
  let rig: PeopleRig;
  let browser: Browser;

  beforeAll(async () => {
    rig = await startPeopleRig({ bare: true, mails: true, publicUrl: PUBLIC_URL });
    await rig.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = rig.app.server.address() as AddressInfo;
    browser = await startChromium({ hosts: [new URL(PUBLIC_URL).hostname], port });
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
  });

  const isShown = async (id: string): Promise<boolean> =>
    (await browser.evaluate(`!document.getElementById('${id}').hidden`)) === true;
  const textOf = async (id: string): Promise<string> =>
    String(await browser.evaluate(`document.getElementById('${id}').textContent`));
  const isTooWide = () =>
    browser.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

  async function fill(fields: Record<string, string>): Promise<void> {
    await browser.evaluate(
      `for (const [id, value] of Object.entries(${JSON.stringify(fields)})) document.getElementById(id).value = value;
       document.querySelector('form button').click()`,
    );
  }

  /** Opens a link whose page reports no errors and contacts no other host. */
  async function open(link: string): Promise<void> {
    // only the fragment may differ from the page before, which loads nothing
    await browser.open('about:blank');
    const shown = await browser.open(link, PHONE);
    expect([shown.status, shown.complaints]).toEqual([200, []]);
    expect(shown.requests.every((url) => url.startsWith(PUBLIC_URL))).toBe(true);
    expect(await isTooWide()).toBe(false);
  }

  it('set up the server', async () => {
    const { setupToken } = await firstStart(rig.store, { clock: rig.clock.now });
    await open(`${PUBLIC_URL}/setup#${setupToken ?? ''}`);
    await picture(browser, 'setup');
    await fill({ email: OWNER.email, password: 'aaaaaaaaaaaa' });
    await waitFor('the problem is shown', () => isShown('problem'));
    expect(await textOf('problem')).toContain('different characters');
    await fill({ password: OWNER.password });
    await browser.page.waitForURL(({ pathname }) => pathname === '/');
    const kept = JSON.parse(String(await browser.evaluate(`sessionStorage.getItem('mailkeel.first-keys')`)));
    expect(kept).toMatchObject({
      email: OWNER.email,
      live_key: expect.stringMatching(/^svc_live_/) as string,
    });
    expect((await rig.ask('GET', '/v1/contacts', { key: String(kept.test_key) })).status).toBe(200);
    const signOut = `fetch('/v1/auth/session')
      .then((answer) => answer.json())
      .then(({ csrf_token }) => fetch('/v1/auth/sign-out', { method: 'POST', headers: { 'X-CSRF-Token': csrf_token } }))
      .then(({ status }) => status)`;
    expect(await browser.evaluate(signOut)).toBe(200);
    expect(await browser.evaluate('location.hash')).toBe('');
  });

  it('say that there is an owner, who signs in', async () => {
    await open(`${PUBLIC_URL}/setup#used`);
    await picture(browser, 'setup-done');
    expect(await browser.evaluate(`document.querySelector('form') === null`)).toBe(true);
    expect(await isTooWide()).toBe(false);
  });

  it('accept an invitation', async () => {
    const owner = await rig.signedIn();
    const body = { email: 'mia@example.com', role: 'member' };
    const { link } = (await owner.ask('POST', '/v1/invitations', { body })).json as { link: string };
    await open(link);
    await waitFor('the form is shown', () => isShown('form'));
    await picture(browser, 'invitation');
    expect(await textOf('intro')).toBe('My organization has invited mia@example.com to join as member.');
    await fill({ name: 'Mia', password: PASSWORD });
    await waitFor('it is done', () => isShown('done'));
    await picture(browser, 'invitation-done');
    expect((await rig.browser().signIn('mia@example.com', PASSWORD)).json.user).toMatchObject({
      name: 'Mia',
    });
    await browser.open('about:blank');
    await browser.open(link, PHONE);
    await waitFor('the problem is shown', () => isShown('problem'));
    expect([await isShown('form'), await textOf('problem')]).toEqual([
      false,
      'This invitation has expired, or has already been accepted, revoked or replaced.',
    ]);
  });

  it('ask existing accounts for password and second factor', async () => {
    const mia = await rig.signedIn('mia@example.com', PASSWORD);
    const begun = await mia.ask('POST', '/v1/auth/totp', { body: { password: PASSWORD } });
    const { secret } = begun.json as { secret: string };
    const codeOf = () => generateSync({ secret, epoch: Math.floor(rig.clock.now() / 1000) });
    await mia.ask('POST', '/v1/auth/totp/confirm', { body: { code: codeOf() } });
    const { id } = (await mia.ask('GET', '/v1/auth/session')).json.user as { id: string };
    // of another organization: a member of this one could not be invited
    await rig.store.commit([remove(members, { where: { user_id: id } })]);
    rig.clock.advance(60_000);
    const body = { email: 'mia@example.com', role: 'viewer' };
    const owner = await rig.signedIn();
    const { link } = (await owner.ask('POST', '/v1/invitations', { body })).json as { link: string };
    await open(link);
    await waitFor('the form is shown', () => isShown('form'));
    expect(await isShown('code-field')).toBe(false);
    await fill({ password: PASSWORD });
    await waitFor('the code is asked for', () => isShown('code-field'));
    await waitFor('the problem is shown', () => isShown('problem'));
    expect(await textOf('problem')).toBe('Your account also requires a code.');
    await picture(browser, 'invitation-code');
    await browser.wear({ scheme: 'dark' });
    await picture(browser, 'invitation-code-wide-dark');
    await fill({ code: codeOf() });
    await waitFor('it is done', () => isShown('done'));
    expect((await owner.ask('GET', '/v1/members')).text).toContain(id);
  });

  it('authorize a program by its code', async () => {
    const program = rig.browser();
    const body = { client_name: 'mailkeel CLI', mode: 'test' };
    const started = (await program.ask('POST', '/v1/auth/device', { body })).json;
    await browser.open('about:blank');
    await browser.open(String(started.verification_uri_complete), PHONE);
    await waitFor('a sign-in is asked for', () => isShown('sign-in'));
    await picture(browser, 'device-sign-in');
    await fill({ email: OWNER.email, password: OWNER.password });
    await waitFor('the program is shown', () => isShown('decide'));
    expect([await textOf('client'), await textOf('shown')]).toEqual(['mailkeel CLI', started.user_code]);
    expect(await isTooWide()).toBe(false);
    await picture(browser, 'device');
    await browser.evaluate(`document.querySelector('#decide button').click()`);
    await waitFor('it is done', () => isShown('done'));
    const poll = { body: { device_code: started.device_code } };
    expect((await program.ask('POST', '/v1/auth/device/token', poll)).json).toMatchObject({
      ...{ status: 'approved', api_key: { name: 'mailkeel CLI', mode: 'test', permission: 'full' } },
    });
    expect(await browser.evaluate('location.hash')).toBe('');
  });

  it('connect an application with the policy that the person sets', async () => {
    const { port } = rig.app.server.address() as AddressInfo;
    const redirect = `http://127.0.0.1:${port}/callback`;
    const name = 'Agent”. This name is verified. “';
    const metadata = { client_name: name, redirect_uris: [redirect] };
    const { client_id: client } = (await rig.browser().ask('POST', '/oauth/register', { body: metadata }))
      .json;
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: client as string, redirect_uri: redirect, state: 'state' },
      ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' },
    });
    const link = `${PUBLIC_URL}/oauth/authorize?${query.toString()}`;
    await browser.open(link, PHONE);
    await waitFor('the application is shown', () => isShown('decide'));
    expect([await textOf('host'), await textOf('target')]).toEqual([
      `127.0.0.1:${port}`,
      `127.0.0.1:${port}`,
    ]);
    expect(await textOf('name')).toBe(`The application calls itself “${name}”. This name is not verified.`);
    expect(await browser.page.locator('#name strong[dir=auto]').innerText()).toBe(name);
    expect([await isShown('this-computer'), await isShown('policy')]).toEqual([true, false]);
    await browser.page.selectOption('#permission', 'send');
    expect(await isShown('policy')).toBe(true);
    await browser.page.fill('#recipients', 'customer.example\n\n thread_participants ');
    expect(await isTooWide()).toBe(false);
    await picture(browser, 'connect');
    await browser.page.fill('#senders', 'not an address');
    await browser.page.click('#decide button[type=submit]');
    await waitFor('the problem is shown', () => isShown('problem'));
    await browser.page.fill('#senders', '');
    await browser.page.click('#decide button[type=submit]');
    await browser.page.waitForURL(({ pathname }) => pathname === '/callback');
    const { searchParams } = new URL(browser.page.url());
    expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['state', PUBLIC_URL]);
    const [row] = await rig.raw('SELECT permission, policy FROM oauth_codes');
    expect(row?.['permission']).toBe('send');
    expect(JSON.parse(String(row?.['policy']))).toMatchObject({
      ...{ allowed_recipients: ['customer.example', 'thread_participants'], allowed_senders: null },
      ...{ max_per_day: 100, content: { no_attachments: true } },
    });
    await browser.open('about:blank');
    await browser.open(link.replace('callback', 'other'), PHONE);
    await waitFor('the problem is shown', () => isShown('problem'));
    expect(await isShown('decide')).toBe(false);
  });

  it('set a new password', async () => {
    await rig.browser().ask('POST', '/v1/auth/password-reset', { body: { email: OWNER.email } });
    const [mail] = await rig.mails();
    await open(mail?.link ?? '');
    await picture(browser, 'reset');
    await fill({ password: 'a tea kettle that whistles' });
    await waitFor('it is done', () => isShown('done'));
    expect((await rig.browser().signIn(OWNER.email, 'a tea kettle that whistles')).status).toBe(200);
  });
});
