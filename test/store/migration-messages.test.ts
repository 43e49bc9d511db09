// The step that brings tags of lists and consent, on a database of the release before.
import { describe, expect, it } from 'vitest';
import { up as first } from '../../src/store/migrations/0001-first.js';
import { up as outbound } from '../../src/store/migrations/0002-outbound.js';
import { up as third } from '../../src/store/migrations/0003-way-back.js';
import { up as audience } from '../../src/store/migrations/0004-audience.js';
import { up as tenancy } from '../../src/store/migrations/0005-tenancy.js';
import { up as environments } from '../../src/store/migrations/0007-environments.js';
import { up as messages } from '../../src/store/migrations/0010-messages.js';
import { engineKinds } from '../support/open-engines.js';

const BEFORE = [first, outbound, third, audience, tenancy, environments];
const LIVE = 4;

describe.each(engineKinds())('an upgrade on $name', (kind) => {
  it('counts the tags of lists, and suppresses who is shown as unsubscribed and got mail', async () => {
    const opened = await kind.open();
    const { engine } = opened;
    const raw = (statement: string) => opened.raw(statement);
    for (const step of BEFORE) await step(engine.schema, engine.spelling);
    await raw(`INSERT INTO organizations (id, name, plan, unsubscribe_blocks, track_opens, track_clicks, created_at, updated_at)
      VALUES ('org_1', 'A', 'unlimited', 'all', 1, 1, 1, 1)`);
    await raw(
      `INSERT INTO workspaces (id, number, organization_id, name, created_at) VALUES ('ws_1', 1, 'org_1', 'A', 1)`,
    );
    await raw(`INSERT INTO environments (id, workspace_id, mode) VALUES (${LIVE}, 'ws_1', 'live')`);
    const person = (number: number, status: string, tenant = 'NULL') =>
      raw(`INSERT INTO contacts (id, environment_id, sub_tenant_id, email, email_key, tags, metadata, status, created_at,
          updated_at) VALUES ('cnt_${number}', ${LIVE}, ${tenant}, 'P${number}@x.example', 'p${number}@x.example', '[]', '{}',
          '${status}', 1000, 2000)`);
    await person(1, 'active');
    await person(2, 'unsubscribed', `'tnt_1'`);
    await person(3, 'bounced');
    await person(4, 'unsubscribed');
    await person(5, 'complained');
    await raw(`INSERT INTO list_members (list_number, contact_number, state, joined_at) VALUES
      (1, 1, 'subscribed', 1), (1, 3, 'subscribed', 1), (2, 1, 'subscribed', 1), (1, 4, 'pending', 1)`);
    await raw(`INSERT INTO contact_tags (environment_id, tag, contact_number) VALUES
      (${LIVE}, 'a', 1), (${LIVE}, 'a', 3), (${LIVE}, 'b', 1), (${LIVE}, 'b', 4)`);
    await raw(`INSERT INTO suppressions (id, environment_id, sub_tenant_key, email, email_key, reason, created_at)
      VALUES ('sup_1', ${LIVE}, '', 'p5@x.example', 'p5@x.example', 'complaint', 1)`);
    await messages(engine.schema, engine.spelling);
    const tags = await raw('SELECT list_number, tag, contacts FROM list_tags ORDER BY list_number, tag');
    expect(
      tags.map(({ list_number, tag, contacts }) => [Number(list_number), tag, Number(contacts)]),
    ).toEqual([
      [1, 'a', 2],
      [1, 'b', 1],
      [2, 'a', 1],
      [2, 'b', 1],
    ]);
    const rows = await raw(
      'SELECT sub_tenant_key, email, email_key, reason FROM suppressions ORDER BY email_key',
    );
    expect(rows).toEqual([
      { sub_tenant_key: 'tnt_1', email: 'P2@x.example', email_key: 'p2@x.example', reason: 'unsubscribe' },
      { sub_tenant_key: '', email: 'P3@x.example', email_key: 'p3@x.example', reason: 'bounce' },
      { sub_tenant_key: '', email: 'p5@x.example', email_key: 'p5@x.example', reason: 'complaint' },
    ]);
    await opened.close();
  });
});
