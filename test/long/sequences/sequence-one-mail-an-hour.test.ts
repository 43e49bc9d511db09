// Tests that one person gets at most one mail per hour from a sequence, regardless of its loops and of repeated enrollments. The
// program is killed in between.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCampaignProgram, type CampaignProgram } from '../../support/campaign-program.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const HOUR_MS = 3_600_000;

let program: CampaignProgram;
beforeAll(async () => {
  program = await startCampaignProgram({ env: tuned({ sequenceIntervalMs: 50 }) });
});
afterAll(() => program.close());

const send = (more: object = {}) => ({ type: 'send', template: program.templateId, ...more });

function bodyOf(steps: readonly object[]) {
  return {
    name: 'Round',
    sub_tenant_id: program.tenantId,
    from: { email: 'news@shop.example' },
    trigger: { type: 'manual' },
    steps,
    exit_on: [],
  };
}

async function addContact(name: string): Promise<string> {
  const email = program.addressOf(name);
  await program.ask('POST', '/v1/contacts', { email, sub_tenant_id: program.tenantId });
  return email;
}

const enroll = (id: string, email: string) =>
  program.appliance.api('POST', `/v1/sequences/${id}/enroll`, { body: { email } });

/** Time of the enrolled contact's next step. */
async function nextAt(id: string): Promise<string | undefined> {
  const { data } = await program.ask('GET', `/v1/sequences/${id}/enrollments?status=active`);
  return (data as { next_at: string }[])[0]?.next_at;
}

/** Moves on to an hour after the only mail of the sequence. */
async function anHourLater(id: string): Promise<string> {
  const made = await program.appliance.query('SELECT created_at FROM messages WHERE sequence_id = ?', id);
  expect(made).toHaveLength(1);
  return new Date(Number(made[0]?.['created_at']) + HOUR_MS).toISOString();
}

const heldBack = (id: string) =>
  waitFor(
    'the next mail to wait for an hour',
    async () => ({ at: await nextAt(id), due: await anHourLater(id) }),
    ({ at, due }) => at === due,
  );

it('refuses a loop without a wait, and names its steps', async () => {
  const hello = send({ id: 'hello' });
  const again = { id: 'again', type: 'branch', event: 'delivered', within_hours: 1, next_step_id: 'hello' };
  const create = (steps: readonly object[]) =>
    program.appliance.api('POST', '/v1/sequences', { body: bodyOf(steps) });
  const refused = await create([hello, again]);
  expect(refused).toMatchObject({ status: 422, json: { error: { code: 'validation_error' } } });
  expect(refused.json.error.details.fields).toEqual([
    { path: 'steps.1.next_step_id', message: expect.stringContaining('hello, again') as string },
  ]);
  expect((await create([hello, { type: 'wait', hours: 0.5 }, again])).status).toBe(422);
  const accepted = await create([hello, { type: 'wait', hours: 1 }, again]);
  expect(accepted.status).toBe(201);
  const body = { steps: [hello, again] };
  const changed = await program.appliance.api('PATCH', `/v1/sequences/${String(accepted.json.id)}`, { body });
  expect(changed.status).toBe(422);
});

it('sends one mail per hour to a contact that is enrolled repeatedly', async () => {
  const email = await addContact('ann');
  const { id } = (await program.ask('POST', '/v1/sequences', bodyOf([send()]))) as { id: string };
  const before = program.mails().length;
  await enroll(id, email);
  await program.arrived(before + 1);
  await waitFor(
    'to be enrolled again',
    () => enroll(id, email),
    ({ status }) => status === 201,
  );
  await heldBack(id);
  await program.appliance.end('SIGKILL');
  await program.appliance.startHere();
  expect((await enroll(id, email)).status).toBe(409);
  await heldBack(id);
  expect(program.copies(before)).toEqual(new Map([[email, 1]]));

  // It continues an hour later.
  await program.appliance.query(
    'UPDATE messages SET created_at = created_at - ? WHERE sequence_id = ?',
    HOUR_MS,
    id,
  );
  await program.appliance.query(
    `UPDATE enrollments SET due_at = due_at - ? WHERE status = 'active'`,
    HOUR_MS,
  );
  await waitFor(
    'the second mail',
    () => Promise.resolve(program.copies(before).get(email)),
    (count) => count === 2,
  );
});

it('keeps an hour between two consecutive mails', async () => {
  const email = await addContact('bob');
  const { id } = (await program.ask('POST', '/v1/sequences', bodyOf([send(), send()]))) as { id: string };
  const before = program.mails().length;
  await enroll(id, email);
  await program.arrived(before + 1);
  await heldBack(id);
  expect(program.copies(before).get(email)).toBe(1);
});
