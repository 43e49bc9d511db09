// Kills the server in the middle of an import and of an export. Each resumes where it was and counts every row once.
import { expect, it } from 'vitest';
import { createAppliance } from '../../support/appliance.js';
import { contactsCsv, fileText, sendImport, transferWhen } from '../../support/imported-contacts.js';
import { sized } from '../../support/run-size.js';

const ROWS = sized({ small: 6_000, full: 20_000 });
const REFUSED = ROWS / 100;
const KILLS = sized({ small: 1, full: 3 });

const started = (transfer: Record<string, unknown>) => Number(transfer['processed']);

it('imports every row once', async () => {
  const appliance = await createAppliance({
    env: { MAILKEEL_RATE_LIMIT_LIVE: '0', MAILKEEL_LOG_LEVEL: 'warn' },
  });
  try {
    await appliance.start();
    const id = await sendImport(appliance, contactsCsv(ROWS), '?tags=all');
    const path = `/v1/imports/${id}`;
    const killedAt: number[] = [];
    for (let kill = 1; kill <= KILLS; kill++) {
      const seen = await transferWhen(appliance, path, (one) => started(one) >= (ROWS * kill) / (KILLS + 2));
      killedAt.push(started(seen));
      await appliance.end('SIGKILL');
      await appliance.start();
    }
    const done = await transferWhen(appliance, path, (one) => one['finished_at'] !== null);
    console.info(`killed when ${killedAt.join(', ')} of ${ROWS} rows were done`);
    expect(killedAt.at(-1)).toBeLessThan(ROWS);
    expect(done).toMatchObject({
      status: 'completed',
      total: ROWS,
      processed: ROWS,
      created: ROWS - REFUSED,
      updated: 0,
      unchanged: 0,
      failed: REFUSED,
    });
    const contacts = await appliance.api('GET', '/v1/contacts?limit=1');
    expect(contacts.json).toMatchObject({ total: ROWS - REFUSED });
    const refused = (await fileText(appliance, `${path}/rejected`)).trimEnd().split('\r\n');
    expect(refused).toHaveLength(1 + REFUSED);
    expect(new Set(refused).size).toBe(1 + REFUSED);

    const made = await appliance.api('POST', '/v1/exports', { body: { format: 'csv' } });
    const exported = `/v1/exports/${(made.json as { id: string }).id}`;
    await appliance.end('SIGKILL');
    await appliance.startHere();
    const end = await transferWhen(appliance, exported, (one) => one['finished_at'] !== null);
    expect(end).toMatchObject({ status: 'completed', processed: ROWS - REFUSED });
    const file = await fileText(appliance, `${exported}/file`);
    expect(new Set(file.trimEnd().split('\r\n')).size).toBe(1 + ROWS - REFUSED);
    expect(file).toBe(await fileText(appliance, '/v1/exports/contacts'));
  } finally {
    await appliance.close();
  }
}, 120_000);
