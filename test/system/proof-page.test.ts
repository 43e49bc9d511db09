// Tests the page that checks a proof: the browser verifies the file, and sends nothing of it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminJson, createAppliance, type Appliance } from '../support/appliance.js';
import { signInPerson } from '../support/sign-in-person.js';
import { ensureChromium, startChromium, type Browser } from '../support/chromium.js';
import { picture } from '../support/pictures.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: the page that checks a proof: ${skipReason}`);

describe.skipIf(skipReason !== null)('the proof page', () => {
  let appliance: Appliance;
  let browser: Browser;
  let folder: string;
  let proof: { bundle: Record<string, unknown>; attestation: object };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailkeel-proof-'));
    appliance = await createAppliance();
    await appliance.start();
    browser = await startChromium({ hosts: [], port: Number(new URL(appliance.url).port) });
    await browser.wear({});
    const key = appliance.keys.test_key;
    const body = {
      from: 'me@example.com',
      to: 'delivered@example.com',
      subject: 'Grüße "an" \\ alle',
      text: 'Hi',
    };
    const { json: message } = await appliance.api('POST', '/v1/messages', { key, body });
    proof = (await appliance.api('GET', `/v1/messages/${message.id}/proof`, { key })).json;
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await appliance.close();
    await rm(folder, { recursive: true });
  });

  async function verdictOn(text: string): Promise<string | null> {
    const { page } = browser;
    const file = join(folder, 'proof.json');
    await writeFile(file, text);
    await page.goto(`${appliance.url}/proof`);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.locator('#file').setInputFiles(file);
    await page.locator('#verdict[data-verdict]').waitFor();
    page.removeAllListeners('request');
    expect(sent.filter((one) => one !== 'GET /.well-known/proof-keys.json')).toEqual([]);
    return page.locator('#verdict').getAttribute('data-verdict');
  }

  it('accepts an unchanged proof in any layout, and shows its facts', async () => {
    expect(await verdictOn(JSON.stringify(proof, null, 2))).toBe('sandbox');
    expect(await browser.page.locator('#to').innerText()).toBe('delivered@example.com');
    await picture(browser, 'proof-page');
    expect(await verdictOn(JSON.stringify(proof))).toBe('sandbox');
  });

  it('names the person who approved the message', async () => {
    const email = 'olga@example.com';
    const { value } = await adminJson(appliance.env, 'people', 'make-owner', '--email', email);
    const ask = await signInPerson(appliance.url, { email, password: String(value.password) }, 'test');
    const made = await ask('POST', '/v1/api-keys', {
      ...{ name: 'Agent', permission: 'send', policy: { approval: 'always' } },
    });
    const key = String(made.json['secret']);
    const body = { from: 'me@example.com', to: 'delivered@example.com', subject: 'Hello', text: 'Hi' };
    const { json: message } = await appliance.api('POST', '/v1/messages', { key, body });
    const [approval] = (await ask('GET', '/v1/approvals')).json['data'] as {
      id: string;
      content_hash: string;
    }[];
    await ask('POST', `/v1/approvals/${approval?.id}/approve`, { content_hash: approval?.content_hash });
    const approved = (await appliance.api('GET', `/v1/messages/${message.id}/proof`, { key })).text;
    expect(await verdictOn(approved)).toBe('sandbox');
    expect(await browser.page.locator('dd.approval').innerText()).toContain(email);
    expect(await verdictOn(approved.replace(email, 'otto@example.com'))).toBe('changed');
  });

  it('refuses a changed proof', async () => {
    const { bundle } = proof;
    expect(await verdictOn(JSON.stringify({ ...proof, bundle: { ...bundle, to: 'eve@example.com' } }))).toBe(
      'changed',
    );
    expect(
      await verdictOn(JSON.stringify({ ...proof, attestation: { ...proof.attestation, sandbox: false } })),
    ).toBe('changed');
    const twice = JSON.stringify(proof).replace('"bundle":', '"bundle":{},"bundle":');
    expect(await verdictOn(twice)).toBe('changed');
    expect(await verdictOn('{"object":"proof"}')).toBe('unreadable');
    expect(await verdictOn('no json')).toBe('unreadable');
  });

  it('never shows the verdict on another file', async () => {
    expect(await verdictOn(JSON.stringify(proof))).toBe('sandbox');
    const { page } = browser;
    const verdict = page.locator('#verdict');
    const choose = (text: string) =>
      page
        .locator('#file')
        .setInputFiles({ name: 'proof.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    // Deeper than any stack.
    const audit = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    await choose(
      JSON.stringify({ ...proof, bundle: { ...proof.bundle, audit: ['DEEP'] } }).replace('"DEEP"', audit),
    );
    await expect.poll(() => verdict.getAttribute('data-verdict')).toBe('unreadable');
    expect(await page.locator('#facts').isVisible()).toBe(false);

    // The keys arrive late for the first file, which is genuine, and immediately for the second, which is not.
    const answers: (() => Promise<void>)[] = [];
    await page.route('**/proof-keys.json', (route) => void answers.push(() => route.continue()));
    await choose(JSON.stringify(proof));
    await expect.poll(() => answers.length).toBe(1);
    expect(await verdict.innerText()).toBe('');
    await choose('no json');
    await expect.poll(() => verdict.getAttribute('data-verdict')).toBe('unreadable');
    const answered = page.waitForResponse('**/proof-keys.json');
    await answers[0]?.();
    await (await answered).finished();
    await page.evaluate(() => crypto.subtle.digest('SHA-256', new Uint8Array(1)));
    expect(await verdict.getAttribute('data-verdict')).toBe('unreadable');
    await page.unroute('**/proof-keys.json');
  });
});
