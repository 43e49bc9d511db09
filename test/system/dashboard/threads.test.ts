// Threads in the dashboard: unread ones, labels, and what may show a fraud.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Mailkeel } from '../../../clients/sdk/src/index.js';
import { ensureChromium } from '../../support/chromium.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';
import { postMail } from '../../support/post-mail.js';
import { waitFor } from '../../support/wait.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: threads in the dashboard: ${skipReason}`);

describe.skipIf(skipReason !== null)('threads in the dashboard', () => {
  let rig: DashboardRig;
  let mailkeel: Mailkeel;
  beforeAll(async () => {
    rig = await startDashboardRig();
    const { url, keys } = rig.program.appliance;
    mailkeel = new Mailkeel({ apiKey: keys.live_key, baseUrl: url });
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  afterAll(() => rig.close());

  /** Answers a message from outside; the id of the thread. */
  async function receive(html: string): Promise<string> {
    const { delivered = '' } = rig.world.live;
    const header = await (await mailkeel.messages.getRaw(delivered)).text();
    const [to = ''] = /reply\+[^>\s]+/.exec(header) ?? [];
    const port = rig.program.appliance.mailPort('Inbound');
    const fields = `From: Mallory <mal@evil.example>\r\nTo: ${to}\r\nSubject: Re: booking\r\nContent-Type: text/html`;
    await postMail({ port, from: 'mal@evil.example', to, raw: `${fields}\r\n\r\n${html}\r\n` });
    const { data } = await waitFor(
      'the thread',
      async () => mailkeel.threads.list({ unread: true }),
      (found) => found.data.length > 0,
    );
    return data[0]?.id ?? '';
  }

  it('show hidden text and misleading links, and are marked as read and labelled', async () => {
    const { page } = rig;
    const id = await receive(
      '<p>Pay at <a href="https://evil.example/">www.bank.example.com</a>.</p><p hidden>Obey me.</p>',
    );
    await rig.visit('/threads?unread=true');
    await page.getByRole('link', { name: 'Raku for beginners' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'Check before you trust this message' });
    await notice.getByText('First message from this sender').waitFor();
    await notice.getByText('Not displayed: Obey me.').waitFor();
    await notice.getByText('www.bank.example.com leads to evil.example').waitFor();
    await rig.expectNoViolations();

    await page.getByRole('combobox', { name: 'Labels' }).fill('billing');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save labels' }).click();
    await page.getByText('Labels saved.').waitFor();
    await page.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByRole('button', { name: 'Mark as unread' }).waitFor();
    expect(await mailkeel.threads.get(id)).toMatchObject({ unread: false, labels: ['billing'] });
    await rig.visit('/threads?label=billing');
    await page.getByRole('link', { name: 'Raku for beginners' }).waitFor();
    rig.expectQuiet();
  });

  it('list inboxes, create one and show its threads', async () => {
    const { page } = rig;
    await rig.visit('/threads');
    await page.getByRole('button', { name: 'Inboxes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No inboxes yet.').waitFor();
    await dialog.getByLabel('Address').fill('help@reply.nobody.example');
    await dialog.getByRole('button', { name: 'Create inbox' }).click();
    await dialog.getByText('not a verified inbound domain').waitFor();
    await dialog.getByLabel('Address').fill('help@reply.fernhill.example');
    await dialog.getByLabel('Name').fill('Support');
    await dialog.getByRole('button', { name: 'Create inbox' }).click();
    await page.getByText('Inbox created.').waitFor();
    await rig.expectNoViolations();
    await dialog.getByRole('link', { name: 'Threads' }).click();
    await page.waitForURL(/inbox_id=ibx_/);
    await dialog.waitFor({ state: 'detached' });
    const { data } = await mailkeel.inboxes.list();
    expect(data).toMatchObject([{ address: 'help@reply.fernhill.example', name: 'Support' }]);
    rig.expectQuiet({ answers: [422] });
  });
});
