// The step that brings rates of sub-tenants into their rows, on a database of the release before.
import { describe, expect, it } from 'vitest';
import { up as first } from '../../src/store/migrations/0001-first.js';
import { up as outbound } from '../../src/store/migrations/0002-outbound.js';
import { up as third } from '../../src/store/migrations/0003-way-back.js';
import { up as audience } from '../../src/store/migrations/0004-audience.js';
import { up as tenancy } from '../../src/store/migrations/0005-tenancy.js';
import { up as operations } from '../../src/store/migrations/0019-operations.js';
import { engineKinds } from '../support/open-engines.js';

describe.each(engineKinds())('an upgrade on $name', (kind) => {
  it('works out the rates of what was counted before, as the sweep does', async () => {
    const opened = await kind.open();
    const { engine } = opened;
    for (const step of [first, outbound, third, audience, tenancy])
      await step(engine.schema, engine.spelling);
    const rows = [
      ['tnt_1', 1_000, 900, 100, 1],
      ['tnt_2', 30, 3, 27, 2],
      ['tnt_3', 5, 0, 5, 0],
      ['tnt_4', 0, 0, 0, 0],
    ] as const;
    for (const [id, sent, delivered, bounced, complained] of rows) {
      await opened.raw(`INSERT INTO tenant_standings (environment_id, sub_tenant_id, state, sent, delivered, bounced, complained)
        VALUES (1, '${id}', 'ok', ${sent}, ${delivered}, ${bounced}, ${complained})`);
    }
    await operations(engine.schema, engine.spelling);
    const found = await opened.raw(
      'SELECT complaint_ppm, bounce_ppm FROM tenant_standings ORDER BY sub_tenant_id',
    );
    const numbers = found.map((row) =>
      [row['complaint_ppm'], row['bounce_ppm']].map((one) => (one === null ? null : Number(one))),
    );
    expect(numbers).toEqual([
      [1_111, 100_000],
      [666_667, 900_000],
      [null, 1_000_000],
      [null, null],
    ]);
    await opened.close();
  });
});
