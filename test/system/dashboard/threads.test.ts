// Tests threads in the dashboard: unread ones, labels, and signs of fraud.
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

  /** Adds an address to the only inbox, whose owner has not agreed yet. */
  const addForward = (address: string) =>
    rig.program.appliance.query(
      `INSERT INTO inbox_forwards (id, inbox_id, environment_id, address, address_key, confirmation_hash,
          confirmation_expires_at, created_at, updated_at)
        SELECT 'fwd_1', id, environment_id, ?, ?, ?, created_at, created_at, created_at FROM inboxes`,
      ...[address, address, Buffer.from('1')],
    );

  /** Receives a reply to a message; returns the id of the thread. */
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

  describe('with drafts', () => {
    let id: string;
    let agent: { id: string; secret: string };
    const draft = (text: string) =>
      new Mailkeel({ apiKey: agent.secret, baseUrl: rig.program.appliance.url }).drafts.create(id, { text });
    const texts = () => rig.page.getByLabel('Text of the draft');

    beforeAll(async () => {
      const { data } = await mailkeel.threads.list({ label: 'billing' });
      id = data[0]?.id ?? '';
      agent = await mailkeel.apiKeys.create({ name: 'Support agent', permission: 'send' });
      await mailkeel.threads.update(id, { assigned_to: null });
    });

    it('show who wrote them, and save, send and discard them', async () => {
      const { page } = rig;
      await draft('Your places are booked.');
      await rig.visit(`/threads/${id}`);
      await page.getByText('Draft by Support agent').waitFor();
      await texts().fill('Your two places are booked.');
      await page.getByRole('button', { name: 'Save changes' }).click();
      await page.getByText('Changes saved.').waitFor();
      await page.getByText('Changed by Olga').waitFor();
      await rig.expectNoViolations();
      await texts().fill('Your three places are booked.');
      await page.getByRole('button', { name: 'Send draft' }).click();
      await page.getByText('Draft sent.').waitFor();
      await texts().waitFor({ state: 'detached' });
      const { recent } = await mailkeel.threads.get(id);
      const sent = await mailkeel.messages.getContent(recent.at(-1)?.id ?? '');
      expect(sent.text).toBe('Your three places are booked.');

      await page.getByLabel('Your reply').fill('Not yet.');
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await page.getByText('Your draft').waitFor();
      await page.getByRole('button', { name: 'Discard draft' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
      await page.getByText('Draft discarded.').waitFor();
      await texts().waitFor({ state: 'detached' });
      expect((await mailkeel.drafts.list({ thread_id: id, state: 'open' })).data).toEqual([]);
      rig.expectQuiet();
    });

    it('show the values and the files that are sent with the text', async () => {
      const { page } = rig;
      const { id: draftId } = await new Mailkeel({
        ...{ apiKey: agent.secret, baseUrl: rig.program.appliance.url },
      }).drafts.create(id, {
        text: '{{ line }}',
        variables: { line: 'Pay to another account.' },
        // Shown as it is ordered, not as `invoicelmth.exe`.
        attachments: [{ filename: 'invoice\u202e.html', content: Buffer.from('<b>1 EUR</b>') }],
      });
      await rig.visit(`/threads/${id}`);
      await page.getByText('Pay to another account.').waitFor();
      const link = page.getByRole('link', { name: 'invoice.html' });
      await rig.expectNoViolations();
      const href = await link.getAttribute('href');
      const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
      expect([href, file.suggestedFilename()]).toEqual([
        expect.stringContaining(`/v1/drafts/${draftId}/attachments/0?`) as string,
        'invoice.html',
      ]);
      await mailkeel.drafts.delete(draftId);
      rig.expectQuiet();
    });

    it('keep the text of a person when someone else has changed the draft', async () => {
      const { page } = rig;
      const { id: draftId } = await draft('One');
      await rig.visit(`/threads/${id}`);
      await texts().fill('Two');
      await mailkeel.drafts.update(draftId, { text: 'Three' });
      await page.getByRole('button', { name: 'Send draft' }).click();
      await page.getByText('The draft has version 2, but the request specifies 1. Fetch it again.').waitFor();
      expect(await texts().inputValue()).toBe('Two');
      await page.getByRole('button', { name: 'Discard my changes' }).click();
      await waitFor('the newer text', async () => (await texts().inputValue()) === 'Three');
      await page.getByRole('button', { name: 'Send draft' }).click();
      await page.getByText('Draft sent.').waitFor();
      rig.expectQuiet({ answers: [409] });
    });

    it('show what someone else has changed before they are sent', async () => {
      const { page } = rig;
      const { id: draftId } = await draft('Four');
      await rig.visit('/threads');
      await rig.visit(`/threads/${id}`);
      await waitFor('the text', async () => (await texts().inputValue()) === 'Four');
      await mailkeel.drafts.update(draftId, { text: 'Five' });
      await page.getByRole('button', { name: 'Send draft' }).click();
      await page.getByText('The draft has version 2, but the request specifies 1. Fetch it again.').waitFor();
      await waitFor('the newer text', async () => (await texts().inputValue()) === 'Five');
      await page.getByRole('button', { name: 'Send draft' }).click();
      await texts().waitFor({ state: 'detached' });
      rig.expectQuiet({ answers: [409] });
    });

    it('are assigned to a person by the keyboard', async () => {
      const { page } = rig;
      await rig.visit(`/threads/${id}`);
      const assignee = page.getByRole('combobox', { name: 'Assigned to' });
      await assignee.focus();
      await page.keyboard.type('Support agent');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await waitFor('the assignment', async () => (await mailkeel.threads.get(id)).assigned_to === agent.id);
      rig.expectQuiet();
    });
  });

  it('list inboxes, create one, choose its policy key and show its threads', async () => {
    const { page } = rig;
    const agent = await mailkeel.apiKeys.create({ name: 'Inbox agent', permission: 'send' });
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
    await addForward('olga@posteo.example');
    await dialog.getByRole('button', { name: 'Routes' }).click();
    const routes = page.getByRole('dialog', { name: 'Routes of Support' });
    await routes.getByText('has not confirmed the forwarding yet').waitFor();
    await routes.getByLabel('Forward to').fill('team@posteo.example');
    await routes.getByRole('button', { name: 'Add address' }).click();
    // The keys of the platform's domain are not published.
    await routes.getByText('the confirmation cannot be signed').waitFor();
    await rig.expectNoViolations();
    await routes.getByRole('button', { name: 'Remove address' }).click();
    const question = page.getByRole('dialog', { name: 'Stop forwarding to olga@posteo.example?' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await routes.getByRole('button', { name: 'Remove address' }).click();
    await question.getByRole('button', { name: 'Remove address' }).click();
    await routes.getByText('No forwarding addresses yet.').waitFor();
    await page.keyboard.press('Escape');
    await routes.waitFor({ state: 'detached' });
    await dialog.getByRole('link', { name: 'Threads' }).click();
    await page.waitForURL(/inbox_id=ibx_/);
    await dialog.waitFor({ state: 'detached' });
    await rig.visit('/threads');
    await page.getByRole('button', { name: 'Inboxes' }).click();
    await dialog.getByRole('combobox', { name: 'Policy key' }).click();
    await page.getByRole('option', { name: 'Inbox agent' }).click();
    await page.getByText('Policy key saved.').waitFor();
    await rig.expectNoViolations();
    const { data } = await mailkeel.inboxes.list();
    expect(data[0]?.policy_key).toBe(agent.id);
    expect(data).toMatchObject([{ address: 'help@reply.fernhill.example', name: 'Support' }]);
    rig.expectQuiet({ answers: [409, 422] });
  });
});
