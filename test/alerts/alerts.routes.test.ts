// Tests a person's own alerts through the API.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPeopleRigs, PASSWORD, type Browser, type PeopleRig } from '../support/people-rig.js';
import { startHttpReceiver } from '../support/http-receiver.js';

const ALERTS = '/v1/auth/alerts';
const rigs = createPeopleRigs();
let rig: PeopleRig;
let olga: Browser;

beforeAll(async () => {
  rig = await rigs.start({ mails: true, env: { MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true' } });
  olga = await rig.signedIn();
}, 60_000);
afterAll(() => rigs.close());

describe('the alerts of a person', () => {
  it('are those about approvals by default', async () => {
    const { status, json } = await olga.ask('GET', ALERTS);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      ...{
        object: 'alert_settings',
        mail_alerts: ['approval_requested'],
        webhook: null,
        quiet_hours: null,
        mail_problem: null,
      },
      urgent_alerts: expect.arrayContaining(['disk_filling']) as string[],
    });
    expect((await olga.ask('POST', `${ALERTS}/test`, { body: { way: 'webhook' } })).status).toBe(409);
  });

  it('are stored as chosen, with a secret that is shown once for each URL', async () => {
    const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin', urgent_passes: true };
    const webhook = { url: 'http://127.0.0.1:24999/hook', format: 'slack', alerts: ['backup_failed'] };
    const body = { mail_alerts: ['disk_filling'], webhook, quiet_hours };
    const first = await olga.ask('PUT', ALERTS, { body });
    expect(first.json).toMatchObject({
      ...body,
      webhook: { ...webhook, secret: expect.stringMatching(/^whsec_/) as string },
    });
    const second = await olga.ask('PUT', ALERTS, { body });
    expect(second.json.webhook.secret).toBeNull();
    expect((await olga.ask('GET', ALERTS)).json).toMatchObject(body);
    const moved = await olga.ask('PUT', ALERTS, {
      body: { ...body, webhook: { ...webhook, url: 'http://127.0.0.1:24999/other' } },
    });
    expect(moved.json.webhook.secret).toMatch(/^whsec_/);
    expect((await olga.ask('PUT', ALERTS, { body: {} })).json).toMatchObject({
      ...{ mail_alerts: [], webhook: null, quiet_hours: null },
    });
  });

  it.each([
    [{ mail_alerts: ['nothing'] }, 'mail_alerts.0'],
    [{ webhook: { url: 'ftp://example.com', alerts: [] } }, 'webhook.url'],
    [{ webhook: { url: 'https://user:password@example.com/', alerts: [] } }, 'webhook.url'],
    [
      { quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Mars/Olympus', urgent_passes: false } },
      'quiet_hours.time_zone',
    ],
    [
      { quiet_hours: { from: '22:00', to: '22:00', time_zone: 'UTC', urgent_passes: false } },
      'quiet_hours.to',
    ],
    [
      { quiet_hours: { from: '25:00', to: '22:00', time_zone: 'UTC', urgent_passes: false } },
      'quiet_hours.from',
    ],
  ])('are refused at the invalid field: %j', async (body, field) => {
    const { status, text } = await olga.ask('PUT', ALERTS, { body });
    expect([status, text.includes(field)]).toEqual([422, true]);
  });

  it('are tested on each channel, even in quiet hours', async () => {
    const receiver = await startHttpReceiver();
    const quiet_hours = { from: '00:00', to: '23:59', time_zone: 'UTC', urgent_passes: false };
    const webhook = { url: receiver.url, alerts: [] };
    await olga.ask('PUT', ALERTS, { body: { webhook, quiet_hours } });
    for (const way of ['mail', 'webhook']) {
      expect((await olga.ask('POST', `${ALERTS}/test`, { body: { way } })).status).toBe(202);
      rig.clock.advance(1_000);
    }
    await receiver.waitFor(1);
    await expect
      .poll(async () => (await olga.ask('GET', `${ALERTS}/notices`)).json.data, { timeout: 10_000 })
      .toMatchObject([
        { object: 'alert_notice', alert: 'test', way: 'webhook', status: 'sent', error: null },
        { object: 'alert_notice', alert: 'test', way: 'mail', status: 'sent', error: null },
      ]);
    expect((await rig.mails())[0]).toMatchObject({ to: 'Olga@Example.com', subject: 'Test alert' });
    await rig.program.raw(`UPDATE messages SET status = 'bounced' WHERE subject = 'Test alert'`);
    expect((await olga.ask('GET', `${ALERTS}/notices`)).json.data[1]).toMatchObject({
      ...{ status: 'failed', error: 'The mail is bounced.' },
    });
    await receiver.close();
  });

  it('explain in German why they cannot be mailed', async () => {
    const nameless = await rigs.start({ mails: false });
    const owner = await nameless.signedIn();
    const { json } = await owner.ask('GET', ALERTS, { headers: { 'accept-language': 'de' } });
    expect(json.mail_problem).toMatch(/^Für den Versand ist keine Domain eingerichtet/);
  });

  it('are tested at most ten times per hour and channel', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) {
      statuses.push((await olga.ask('POST', `${ALERTS}/test`, { body: { way: 'mail' } })).status);
    }
    // One was already sent.
    expect(statuses).toEqual([...Array<number>(9).fill(202), 409, 409]);
  });

  it('belong to one person, and are deleted with them', async () => {
    const userId = await rig.addPerson('bob@example.com', 'viewer');
    const bob = await rig.signedIn('bob@example.com', PASSWORD);
    await bob.ask('PUT', ALERTS, { body: { mail_alerts: ['webhook_disabled'] } });
    expect((await bob.ask('GET', `${ALERTS}/notices`)).json.data).toEqual([]);
    expect((await rig.program.ask('GET', ALERTS)).status).toBe(403);
    expect((await olga.ask('DELETE', `/v1/members/${userId}`)).status).toBe(200);
    expect(await rig.store.alerts.settings(userId)).toBeNull();
  });
});
