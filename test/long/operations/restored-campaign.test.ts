// Restores a backup that was made during a campaign, after the campaign continued and the program was killed. Recipients whose
// mail is in the delivery log are skipped, all others get it, and without the complete log the command says how many may get it
// twice.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { usageDays } from '../../../src/accounts/quota.rules.js';
import { adminJson } from '../../support/appliance.js';
import {
  namesOf,
  ONE_BY_ONE,
  startCampaignProgram,
  type CampaignProgram,
} from '../../support/campaign-program.js';
import { IS_ON_POSTGRES } from '../../support/postgres-databases.js';
import { tuned } from '../../support/tuning.js';
import { waitFor } from '../../support/wait.js';

/** A database server is backed up with its own tools; mailkeel admin backup and restore are for the SQLite file. */
const onFile = it.skipIf(IS_ON_POSTGRES);

const PEOPLE = 30;
const FREE_DAILY = 500;
/** Recipients whose mail was sent by the time of the copy. */
const AT_COPY = 6;

let program: CampaignProgram | null = null;
let folder = '';
afterEach(async () => {
  await program?.close();
  program = null;
  await rm(folder, { recursive: true, force: true });
});

onFile(
  'skips whom the delivery log names, and writes to all others once',
  async () => {
    folder = mkdtempSync(join(tmpdir(), 'backups-'));
    const log = join(folder, 'delivery.log');
    const on = await startCampaignProgram({
      env: {
        ...ONE_BY_ONE,
        ...tuned({ campaignBatch: 4 }),
        MAILKEEL_BACKUP_TO: folder,
        MAILKEEL_BACKUP_PASSPHRASE: 'correct horse battery',
        MAILKEEL_DELIVERY_LOG: log,
      },
    });
    program = on;
    const delivered = (): Record<string, unknown>[] =>
      (existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [])
        .filter((line) => line.includes('"delivered"'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const begun = await on.ask('POST', '/v1/messages', {
      ...{ from: 'news@shop.example', to: on.addressOf('first'), subject: 'First', text: 'Hi' },
    });
    await waitFor(
      'its line',
      () => Promise.resolve(delivered()),
      (lines) => lines.length === 1,
    );
    expect(delivered()[0]).toMatchObject({ message_id: begun.id, campaign_id: null, recipient_hash: null });

    // The plan only suffices for a part of the audience, so the copy has waiting recipients.
    await on.appliance.query(`UPDATE organizations SET plan = 'free'`);
    await on.appliance.query(
      `INSERT INTO usage (environment_id, day, type, sends) VALUES (1, ?, 'marketing', ?)`,
      usageDays(Date.now()).today,
      FREE_DAILY - AT_COPY - 1,
    );
    const id = await on.addCampaign(await on.addList(namesOf(PEOPLE)));
    await on.act(id, 'send');
    await waitFor(
      'the campaign to wait',
      () => on.campaign(id),
      ({ problem }) => problem !== null,
    );
    await on.arrived(1 + AT_COPY);
    expect((await adminJson(on.appliance.env, 'backup')).code).toBe(0);
    on.behaviour.thinksMs = 100;
    await on.appliance.query(`UPDATE organizations SET plan = 'unlimited'`);
    await on.arrived(1 + AT_COPY + 6);
    await on.act(id, 'pause');
    // Nothing is in progress, and every delivery has its line.
    await waitFor(
      'the lines of all that arrived',
      () =>
        on.appliance.query('SELECT 1 FROM queue WHERE lease_until IS NOT NULL').then((busy) => ({
          lines: delivered().length,
          mails: on.mails().length,
          busy: busy.length,
        })),
      ({ lines, mails, busy }) => busy === 0 && lines === mails,
    );
    const had = on.mails().length - 1;
    expect(had).toBeLessThan(PEOPLE);
    expect(delivered().at(-1)).toMatchObject({
      campaign_id: id,
      recipient_hash: expect.stringMatching(/^[\w-]{22}$/),
    });
    expect(readFileSync(log, 'utf8')).not.toContain('r1@');
    await on.appliance.end('SIGKILL');

    expect((await adminJson(on.appliance.env, 'restore', 'latest', '--force')).value).toMatchObject({
      paused_campaigns: [id],
    });
    await on.appliance.startHere();
    const refused = await on.appliance.api('POST', `/v1/campaigns/${id}/resume`);
    expect([refused.status, refused.json.error.message]).toEqual([
      409,
      expect.stringContaining('restore --release'),
    ]);

    // A log with lost lines, or with lines of an older program, does not count as complete.
    const lines = readFileSync(log, 'utf8');
    const older = lines.replaceAll(/,"campaign_id":("[^"]*"|null),"recipient_hash":("[^"]*"|null)/g, '');
    const asked = async (text: string) => {
      const file = join(folder, 'other.log');
      writeFileSync(file, text);
      return (await adminJson(on.appliance.env, 'restore', '--review', '--log', file)).value.campaigns[0];
    };
    const ofOlder = await asked(older);
    expect(ofOlder).toMatchObject({ id, skipped: 0, may_get_it_twice: ofOlder.waiting });
    const gap = JSON.stringify({ time: delivered().at(-1)?.['time'], event: 'gap', lines: 1 });
    const withGap = await asked(`${gap}\n${lines}`);
    expect(withGap).toMatchObject({ may_get_it_twice: withGap.waiting });
    const review = await adminJson(on.appliance.env, 'restore', '--review');
    const [reviewed] = review.value.campaigns;
    expect(reviewed).toMatchObject({ id, status: 'paused', may_get_it_twice: 0, not_found: 0 });
    expect(reviewed.skipped).toBe(had - AT_COPY);
    expect(reviewed.waiting).toBe(PEOPLE - had);
    expect((await on.campaign(id)).stats['skipped']).toBe(0);

    const released = await adminJson(on.appliance.env, 'restore', '--release', '--all');
    expect(released.value).toMatchObject({ released: true, campaigns: [reviewed] });
    expect((await on.campaign(id)).stats['skipped']).toBe(reviewed.skipped);
    expect(await on.campaign(id)).toMatchObject({ status: 'paused' });
    delete on.behaviour.thinksMs;
    await on.appliance.query(`UPDATE organizations SET plan = 'unlimited'`);
    await on.act(id, 'resume');
    await on.reachedBy(id, 'sent', 30_000);
    await on.arrived(PEOPLE + 1);
    const skipped = await on.ask('GET', `/v1/campaigns/${id}/recipients?state=skipped&limit=100`);
    expect(skipped.data).toHaveLength(reviewed.skipped);
    expect(skipped.data[0]).toMatchObject({ reason: 'reached_before_restore', message_id: null });
    expect(on.copies().size).toBe(PEOPLE + 1);
    expect(Math.max(...on.copies().values())).toBe(1);
  },
  120_000,
);
