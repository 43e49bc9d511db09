// The step that gives stored things the names of the API, on a database of the release before.
import { describe, expect, it } from 'vitest';
import { up as first } from '../../src/store/migrations/0001-first.js';
import { up as outbound } from '../../src/store/migrations/0002-outbound.js';
import { up as third } from '../../src/store/migrations/0003-way-back.js';
import { up as audience } from '../../src/store/migrations/0004-audience.js';
import { up as tenancy } from '../../src/store/migrations/0005-tenancy.js';
import { up as inboundMailboxes } from '../../src/store/migrations/0006-inbound-mailboxes.js';
import { up as environments } from '../../src/store/migrations/0007-environments.js';
import { up as domains } from '../../src/store/migrations/0009-domains.js';
import { up as messages } from '../../src/store/migrations/0010-messages.js';
import { up as campaigns } from '../../src/store/migrations/0011-campaigns.js';
import { up as requests } from '../../src/store/migrations/0012-requests.js';
import { engineKinds } from '../support/open-engines.js';

const BEFORE = [
  first,
  outbound,
  third,
  audience,
  tenancy,
  inboundMailboxes,
  environments,
  domains,
  messages,
  campaigns,
];
const SEQUENCES = 401;

describe.each(engineKinds())('an upgrade on $name', (kind) => {
  it('keeps lists, recipients, enrolments and the steps of sequences under their new names', async () => {
    const opened = await kind.open();
    const { engine } = opened;
    const raw = (statement: string) => opened.raw(statement);
    for (const step of BEFORE) await step(engine.schema, engine.spelling);
    await raw(`INSERT INTO organizations (id, name, plan, unsubscribe_blocks, track_opens, track_clicks, created_at, updated_at)
      VALUES ('org_1', 'A', 'unlimited', 'all', 1, 1, 1, 1)`);
    await raw(
      `INSERT INTO workspaces (id, number, organization_id, name, created_at) VALUES ('ws_1', 1, 'org_1', 'A', 1)`,
    );
    await raw(`INSERT INTO environments (id, workspace_id, mode) VALUES (4, 'ws_1', 'live')`);
    await raw(`INSERT INTO list_departures (list_number, email_key, left_at) VALUES (1, 'a@x.example', 5)`);
    await raw(`INSERT INTO list_days (list_number, day, joined, departed) VALUES (1, 2, 3, 4)`);
    await raw(`INSERT INTO campaign_recipients (campaign_id, contact_number, email, email_key, state) VALUES
      ('cmp_1', 1, 'a@x.example', 'a@x.example', 'made'), ('cmp_1', 2, 'b@x.example', 'b@x.example', 'skipped')`);
    await raw(`INSERT INTO enrollments (number, id, sequence_number, contact_number, email_key, state, step, step_since,
      due_at, steps_taken, variables, created_at, updated_at)
      VALUES (1, 'enr_1', 1, 1, 'a@x.example', 'active', 's', 1, 1, 0, '{}', 1, 1)`);
    for (let n = 1; n <= SEQUENCES; n += 1) {
      const steps = [
        { id: 'a', type: 'send', template: 'goto', variables: { goto: 'x' } },
        { id: 'b', type: 'branch', event: 'opened', within_hours: 1, goto: 'a' },
      ];
      await raw(`INSERT INTO sequences (number, id, environment_id, name, type, trigger_kind, trigger_value, steps, exit_on,
        status, created_at, updated_at) VALUES (${n}, 'seq_${n}', 4, 'S', 'marketing', 'manual', '',
        '${JSON.stringify(n === 2 ? [] : steps)}', '[]', 'active', 1, 1)`);
    }

    await requests(engine.schema, engine.spelling);

    expect(await raw('SELECT email_key, unsubscribed_at FROM list_unsubscribes')).toHaveLength(1);
    expect(Number((await raw('SELECT unsubscribed FROM list_days'))[0]?.['unsubscribed'])).toBe(4);
    expect(await raw('SELECT state FROM campaign_recipients ORDER BY contact_number')).toEqual([
      { state: 'created' },
      { state: 'skipped' },
    ]);
    expect(await raw(`SELECT id, status FROM enrollments WHERE status = 'active'`)).toHaveLength(1);
    expect(await raw('SELECT COUNT(*) AS n FROM inbound_messages')).toHaveLength(1);
    const rows = await raw('SELECT number, steps FROM sequences ORDER BY number');
    expect(rows).toHaveLength(SEQUENCES);
    for (const row of rows) {
      const expected = [
        { id: 'a', type: 'send', template: 'goto', variables: { goto: 'x' } },
        { id: 'b', type: 'branch', event: 'opened', within_hours: 1, next_step_id: 'a' },
      ];
      expect(JSON.parse(String(row['steps']))).toEqual(Number(row['number']) === 2 ? [] : expected);
    }
    await opened.close();
  });
});
