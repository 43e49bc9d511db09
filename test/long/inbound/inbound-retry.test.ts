// Tests `mailkeel admin inbound` while the server runs: received mail, its bytes, and a retry of failed mail.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mailkeel } from '../../support/appliance.js';
import { question } from '../../support/incoming-mail.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { waitFor } from '../../support/wait.js';

let rig: MailRig;

beforeAll(async () => {
  rig = await startMailRig({ process: 'shared' });
});

afterAll(() => rig.close());

async function inbound(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await mailkeel(['admin', 'inbound', ...args, '--json'], rig.appliance.env);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout) as unknown;
}

const outcomes = async (): Promise<(string | null)[]> =>
  ((await inbound()) as { data: { outcome: string | null }[] }).data.map(({ outcome }) => outcome);

it('a failed mail is processed again without a second effect', async () => {
  expect(await rig.ask('a question')).toBe(250);
  await rig.subjects(1);
  expect(await inbound()).toMatchObject({
    data: [{ id: 1, kind: 'mailbox', rcpt_to: 'help@reply.shop.example', state: 'done', outcome: 'reply' }],
  });
  const file = join(rig.appliance.dataDir, 'saved.eml');
  await inbound('save', '1', file);
  expect(readFileSync(file, 'utf8')).toBe(question('a question'));

  await rig.appliance.query("UPDATE inbound_messages SET state = 'failed', outcome = 'fault', attempts = 6");
  expect(await inbound('retry', '1')).toMatchObject({ id: 1, state: 'waiting' });
  await waitFor('the mail to be worked on', outcomes, ([outcome]) => outcome === 'duplicate');
  expect(await rig.subjects(1)).toEqual(['a question']);
});
