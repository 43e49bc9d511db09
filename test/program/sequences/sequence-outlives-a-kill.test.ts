// Kills the server while a sequence sends: one message per enrollment and step, no one receives a step twice at the sink, and
// missing ones are reported as in doubt. The full size, in the sandbox, is long/sequences-killed.
import { expect, it } from 'vitest';
import { namesOf, startCampaignProgram } from '../../support/campaign-program.js';
import { sendImport } from '../../support/imported-contacts.js';
import { sized } from '../../support/run-size.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const PEOPLE = 150;
const SUBJECTS = ['First', 'Second'];
const KILL_AT = sized({ small: [0.5], full: [0.2, 0.7] });

it('creates each mail once', async () => {
  const program = await startCampaignProgram({
    env: { ...tuned({ sequenceBatch: 20 }), MAILKEEL_SEQUENCE_MIN_INTERVAL: '0' },
  });
  try {
    const { appliance, tenantId } = program;
    const send = (subject: string) => ({ type: 'send', template: program.templateId, subject });
    const { id } = await program.ask('POST', '/v1/sequences', {
      name: 'Welcome',
      sub_tenant_id: tenantId,
      from: { email: 'news@shop.example' },
      trigger: { type: 'contact_created' },
      steps: [send('First'), { type: 'wait', hours: 0 }, send('Second')],
      exit_on: [],
    });
    const csv = ['email', ...namesOf(PEOPLE).map(program.addressOf), ''].join('\n');
    await sendImport(appliance, csv, `?sub_tenant_id=${tenantId}`);
    for (const part of KILL_AT) {
      await program.arrived(PEOPLE * SUBJECTS.length * part);
      await appliance.end('SIGKILL');
      await (part === KILL_AT.at(-1) ? appliance.startHere() : appliance.start());
    }
    await waitFor(
      'everybody to be through, and the queue to be empty',
      async () => {
        const [done] = await appliance.query(
          `SELECT COUNT(*) AS n FROM enrollments WHERE status = 'completed'`,
        );
        const [queued] = await appliance.query('SELECT COUNT(*) AS n FROM queue');
        return { done: done?.['n'], queued: queued?.['n'] };
      },
      ({ done, queued }) => done === PEOPLE && queued === 0,
      25_000,
    );
    const messages = await appliance.query(
      `SELECT m.to_key, m.subject, COUNT(*) AS n FROM messages m
       WHERE m.sequence_id = ? GROUP BY m.to_key, m.subject`,
      id,
    );
    expect(messages).toHaveLength(PEOPLE * SUBJECTS.length);
    expect(messages.filter(({ n }) => n !== 1)).toEqual([]);
    const [enrolled] = await appliance.query('SELECT COUNT(*) AS n FROM enrollment_messages');
    expect(enrolled?.['n']).toBe(PEOPLE * SUBJECTS.length);

    const arrived = new Map<string, number>();
    for (const { rcptTo, raw } of program.mails()) {
      const subject = /^Subject: (\w+)/m.exec(raw.toString())?.[1] ?? '';
      const key = `${rcptTo[0] ?? ''} ${subject}`;
      arrived.set(key, (arrived.get(key) ?? 0) + 1);
    }
    expect([...arrived].filter(([, count]) => count !== 1)).toEqual([]);
    const inDoubt = await appliance.query(
      `SELECT DISTINCT m.to_key, m.subject FROM events e JOIN messages m ON m.id = e.message_id
       WHERE m.sequence_id = ? AND e.detail LIKE '%"ambiguous":true%'`,
      id,
    );
    const listed = new Set(inDoubt.map(({ to_key: to, subject }) => `${String(to)} ${String(subject)}`));
    const missing = messages
      .map(({ to_key: to, subject }) => `${String(to)} ${String(subject)}`)
      .filter((key) => !arrived.has(key));
    console.info(`${missing.length} of ${messages.length} mails did not arrive, ${listed.size} are in doubt`);
    expect(missing.filter((key) => !listed.has(key))).toEqual([]);

    const trail = await appliance.query(
      `SELECT m.variant AS id, COUNT(DISTINCT CASE e.event WHEN 'sent' THEN m.id END) AS sent,
         COUNT(DISTINCT CASE e.event WHEN 'delivered' THEN m.id END) AS delivered
       FROM events e JOIN messages m ON m.id = e.message_id WHERE m.sequence_id = ? GROUP BY m.variant`,
      id,
    );
    expect(trail).toHaveLength(SUBJECTS.length);
    await waitFor(
      'the statistics to have what the trail has',
      () => program.ask('GET', `/v1/sequences/${String(id)}/analytics`),
      ({ steps }: { steps: Record<string, unknown>[] }) =>
        trail.every((row) =>
          steps.some(
            (step) =>
              step['id'] === row['id'] &&
              step['sent'] === row['sent'] &&
              step['delivered'] === row['delivered'],
          ),
        ),
    );
  } finally {
    await program.close();
  }
}, 60_000);
