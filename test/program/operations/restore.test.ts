// Restores a backup that was made in the middle of a campaign, after the program continued and was killed. No recipient gets a
// message again that had been sent by then, consumers learn that their position is gone, and unsent mail continues.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { adminJson } from '../../support/appliance.js';
import {
  namesOf,
  ONE_BY_ONE,
  startCampaignProgram,
  type CampaignProgram,
} from '../../support/campaign-program.js';
import { READ_OFTEN, watch, WATCHED } from '../../support/drill.js';
import { openEventSource } from '../../support/event-source.js';
import { IS_ON_POSTGRES } from '../../support/postgres-databases.js';
import { tuned } from '../../support/tuning.js';
import { waitFor } from '../../support/wait.js';

/** A database server is backed up with its own tools; mailkeel admin backup and restore are for the SQLite file. */
const onFile = it.skipIf(IS_ON_POSTGRES);

const PEOPLE = 24;
const BATCH = 12;

let program: CampaignProgram | null = null;
let folder = '';
afterEach(async () => {
  await program?.close();
  program = null;
  await rm(folder, { recursive: true, force: true });
});

onFile(
  'sends nothing twice unseen',
  async () => {
    folder = mkdtempSync(join(tmpdir(), 'backups-'));
    const on = await startCampaignProgram({
      env: {
        ...ONE_BY_ONE,
        ...WATCHED,
        ...tuned({ ...READ_OFTEN, campaignBatch: BATCH }),
        MAILKEEL_BACKUP_TO: folder,
        MAILKEEL_BACKUP_PASSPHRASE: 'correct horse battery',
      },
    });
    program = on;
    on.behaviour.thinksMs = 400;
    const id = await on.addCampaign(await on.addList(namesOf(PEOPLE)));
    const later = await on.ask('POST', '/v1/messages', {
      ...{ from: 'news@shop.example', to: on.addressOf('later'), subject: 'Later', text: 'Hi' },
      send_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await on.act(id, 'send');
    await on.arrived(3);
    const backup = await adminJson(on.appliance.env, 'backup');
    expect(backup).toMatchObject({ code: 0, value: { with_keys: true, place: folder } });
    delete on.behaviour.thinksMs;
    await on.reachedBy(id, 'sent', 30_000);
    await on.arrived(PEOPLE);
    const seen = await waitFor(
      'all events',
      () => on.ask('GET', '/v1/events?limit=100&events=message.delivered'),
      (page) => page.data.length === PEOPLE,
    );
    const cursor = String(seen.data[0].id);
    await on.appliance.end('SIGKILL');

    expect((await adminJson(on.appliance.env, 'restore', 'latest')).code).toBe(5);
    const restored = await adminJson(on.appliance.env, 'restore', 'latest', '--force');
    expect(restored).toMatchObject({ code: 0, value: { outbound: 'held', paused_campaigns: [id] } });
    const queued = Number(restored.value.queued);
    expect(queued).toBeGreaterThan(1);
    await on.appliance.startHere();
    expect(await on.campaign(id)).toMatchObject({ status: 'paused', problem: { code: 'restored' } });

    // API and inbound work, but nothing is sent.
    const fresh = await on.ask('POST', '/v1/messages', {
      ...{ from: 'news@shop.example', to: on.addressOf('fresh'), subject: 'Fresh', text: 'Hi' },
    });
    const explained = await waitFor(
      'the reason',
      () => on.ask('GET', `/v1/messages/${String(fresh.id)}/explain`),
      (found) => found.code === 'outbound_held' || JSON.stringify(found).includes('outbound_held'),
    );
    const ready = await on.appliance.api('GET', '/readyz');
    expect(ready.json).toMatchObject({ warnings: [expect.stringContaining('Outbound mail is on hold')] });
    const isHeld = (value: number) => value === 1;
    await watch(on.appliance).metricIs('mailkeel_outbound_held', '', isHeld);
    expect(JSON.stringify(explained)).toContain('restore --review');
    expect(on.mails()).toHaveLength(PEOPLE);

    // A consumer that has seen more events than there are now.
    const refused = await on.appliance.api('GET', `/v1/events?order=asc&after=${cursor}`);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'cursor_ahead']);
    const resumeAfter = String(refused.json.error.details.resume_after);
    const first = await on.ask('GET', `/v1/events?order=asc&limit=100&after=${resumeAfter}`);
    expect(JSON.stringify(first.data)).toContain(fresh.id);
    const stream = await openEventSource(on.appliance.port, {
      key: on.appliance.keys.live_key,
      lastEventId: cursor,
    });
    const [reset, next] = await stream.waitFor(2);
    expect([reset?.event, reset?.data.object]).toEqual(['reset', 'event_reset']);
    expect(next?.data.object).toBe('event');
    stream.kill();

    // The hold outlasts a restart.
    expect((await on.appliance.end()).code).toBe(0);
    await on.appliance.startHere();

    // Nothing is known of any due message, so none is released by accident.
    const blind = await adminJson(on.appliance.env, 'restore', '--release');
    expect([blind.code, blind.error]).toEqual([5, expect.stringContaining('use --all to send them')]);
    // With a delivery log: messages that it shows as deferred until after the restore were not sent, unless it has lost lines
    // since the copy.
    const blindReview = await adminJson(on.appliance.env, 'restore', '--review');
    const { copied_at: copiedAt, restored_at: restoredAt } = blindReview.value;
    const [putOff, canceled] = (blindReview.value.messages as { id: string; verdict: string }[])
      .filter(({ verdict }) => verdict === 'unknown')
      .map((mail) => mail.id);
    const log = join(folder, 'delivery.log');
    const time = new Date(Date.parse(restoredAt) - 1).toISOString();
    const before = new Date(Date.parse(copiedAt) - 1).toISOString();
    const afterwards = new Date(Date.parse(restoredAt) + 3_600_000).toISOString();
    const lines: object[] = [
      { time: before, event: 'gap', lines: 2 },
      { time: before, event: 'attempt', message_id: putOff, outcome: 'deferred', retry_at: before },
      { time, event: 'attempt', message_id: putOff, outcome: 'deferred', retry_at: afterwards },
      { time, event: 'ended', message_id: canceled, outcome: 'canceled' },
    ];
    const verdictsOf = async (): Promise<unknown[]> => {
      writeFileSync(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      const { value } = await adminJson(on.appliance.env, 'restore', '--review', '--log', log);
      const mails = value.messages as { id: string; verdict: string }[];
      return [putOff, canceled].map((one) => mails.find((mail) => mail.id === one)?.verdict);
    };
    expect(await verdictsOf()).toEqual(['stayed', 'left']);
    lines.push({ time, event: 'gap', lines: 1 });
    expect(await verdictsOf()).toEqual(['unknown', 'left']);

    const events = join(folder, 'seen.jsonl');
    writeFileSync(events, seen.data.map((event: unknown) => `${JSON.stringify(event)}\n`).join(''));
    const review = await adminJson(on.appliance.env, 'restore', '--review', '--events', events);
    const {
      left,
      may_have_left: mayHaveLeft,
      stayed,
      unknown,
    } = review.value.counts as Record<string, number>;
    const doubtful = Number(left) + Number(mayHaveLeft);
    // The start has marked messages as in doubt that were being sent when the copy was made.
    expect([doubtful > 0, stayed, unknown]).toEqual([true, 1, 0]);
    expect(review.value.messages).toContainEqual(
      expect.objectContaining({ id: later.id, verdict: 'stayed' }),
    );
    const released = await adminJson(on.appliance.env, 'restore', '--release', '--events', events);
    expect(released.value).toMatchObject({ released: true, sent: 1, in_doubt: doubtful });

    await watch(on.appliance).metricIs('mailkeel_outbound_held', '', (value) => !isHeld(value));
    await on.arrived(PEOPLE + 1);
    expect(on.mails().at(-1)?.rcptTo).toEqual([on.addressOf('fresh')]);
    expect((await on.campaign(id)).stats['in_doubt']).toBe(queued - 1);
    expect(Math.max(...on.copies().values())).toBe(1);
    expect(await on.messagesOf(id, 'queued')).toEqual([]);
    expect(await on.appliance.query('SELECT message_id FROM queue')).toHaveLength(1);
    expect((await adminJson(on.appliance.env, 'restore', '--review')).code).toBe(5);
  },
  120_000,
);
