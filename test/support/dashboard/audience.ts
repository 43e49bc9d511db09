// Creates contacts with their data, lists, segments, an import with refused rows, and suppressions.
import type { Export, Mailkeel } from '../../../clients/sdk/src/index.js';
import { waitFor } from '../wait.js';
import { COMPANY, PEOPLE, person, type Person } from './company.js';
import type { Ground } from './ground.js';

export interface AudienceIds {
  letterList: string;
  openList: string;
  emptyList: string;
  segment: string;
  /** A list of the sandbox whose contacts' mail has every outcome. */
  sandboxList: string;
  importId: string;
  /** A dry run with the export of this workspace. */
  accountImportId: string;
  contactId: string;
}

const row = (one: Person) => ({
  email: one.email,
  name: one.name,
  tags: one.tags,
  metadata: { city: one.city, plan: one.plan, first_name: one.firstName },
});

const BROKEN_ROWS = `email,name,city,plan
nils.berg@inbox.example,Nils Berg,Halden,free
not-an-address,Somebody Else,Halden,free
,Without an address,Brookmere,studio
ada.quist@posteo.example,Ada Quist,Kirkdale,pro
two@@signs.example,Two Signs,Kirkdale,pro
nils.berg@inbox.example,Nils Berg again,Halden,studio
`;

export async function addAudience(ground: Ground): Promise<AudienceIds> {
  const { live, sandbox } = ground;
  const letter = await live.lists.create({
    name: 'Monthly letter',
    description: 'What is on in your town, on the first of each month.',
  });
  const open = await live.lists.create({
    name: 'Waiting list of the winter courses with a name that is longer than most people would choose for one',
    description: 'People who were told that a course is full.',
    double_opt_in: true,
    form_origins: ['https://fernhill.example'],
  });
  const empty = await live.lists.create({ name: 'Studio owners' });
  await imported(live, PEOPLE.map(row), letter.id);
  const refused = await live.imports.create(BROKEN_ROWS, { list_id: open.id, format: 'csv' });
  await finished(() => live.imports.get(refused.id));
  await live.lists.rotatePublishableKey(open.id);
  for (const index of [5, 6, 7]) await live.lists.addContacts(open.id, { email: person(index).email });
  const segment = await live.lists.create({
    name: 'Potters in Halden',
    filter: {
      all: [
        { field: 'tag', op: 'has', value: 'pottery' },
        {
          any: [
            { field: 'metadata.city', op: 'eq', value: 'Halden' },
            { field: 'metadata.plan', op: 'eq', value: 'pro' },
          ],
        },
      ],
    },
  });
  await addSuppressions(live);
  const [contact] = (await live.contacts.list({ q: person(27).email })).data;
  if (contact === undefined) throw new Error('the import left somebody out');
  return {
    letterList: letter.id,
    openList: open.id,
    emptyList: empty.id,
    segment: segment.id,
    sandboxList: await addSandboxAudience(sandbox),
    importId: refused.id,
    accountImportId: await addAccountImport(live),
    contactId: contact.id,
  };
}

async function addAccountImport(mailkeel: Mailkeel): Promise<string> {
  const whole = await mailkeel.exports.create({ kind: 'workspace' });
  await finished(() => mailkeel.exports.get(whole.id));
  const file = await (await mailkeel.exports.getFile(whole.id)).text();
  const { id } = await mailkeel.accountImports.upload(file, { source: 'mailkeel', dry_run: true });
  await finished(() => mailkeel.accountImports.get(id));
  return id;
}

async function imported(mailkeel: Mailkeel, rows: ReturnType<typeof row>[], listId: string): Promise<void> {
  const { id } = await mailkeel.imports.create(rows, { list_id: listId });
  await finished(() => mailkeel.imports.get(id));
}

/** Waits until an import, an export or a bulk action has finished. */
async function finished(ask: () => PromiseLike<{ id: string; status: Export['status'] }>): Promise<void> {
  const isOver = ({ status }: { status: string }): boolean => ['completed', 'failed'].includes(status);
  await waitFor('work in the background to end', async () => ask(), isOver);
}

async function addSuppressions(mailkeel: Mailkeel): Promise<void> {
  const reasons = ['manual', 'unsubscribe', 'complaint', 'bounce'] as const;
  const rows = Array.from({ length: 12 }, (_one, i) => ({
    email: `former.guest${i + 1}@inbox.example`,
    reason: reasons[i % reasons.length] ?? 'manual',
  }));
  for (const one of rows) await mailkeel.suppressions.create(one);
}

/** Adds forty contacts, for which the simulator produces every outcome. */
async function addSandboxAudience(mailkeel: Mailkeel): Promise<string> {
  const list = await mailkeel.lists.create({
    name: 'Test readers',
    description: 'Simulated, nobody gets mail.',
  });
  const outcomes = ['delivered', 'opened', 'clicked', 'opened', 'clicked', 'delivered', 'bounced', 'replied'];
  const rows = PEOPLE.slice(0, 40).map((one, i) => {
    const outcome = i === 39 ? 'complained' : (outcomes[i % outcomes.length] ?? 'delivered');
    return { ...row(one), email: `${outcome}+${i}@sandbox.example` };
  });
  await imported(mailkeel, rows, list.id);
  return list.id;
}

/** Exports and bulk actions that are done. */
export async function addTransfers({ live, sandbox }: Ground, lists: AudienceIds): Promise<void> {
  const whole = await live.exports.create({ kind: 'contacts', format: 'csv', list_id: lists.letterList });
  const messages = await live.exports.create({ kind: 'messages', format: 'ndjson', status: ['bounced'] });
  const events = await sandbox.exports.create({ kind: 'events', format: 'ndjson' });
  for (const { id } of [whole, messages]) await finished(() => live.exports.get(id));
  await finished(() => sandbox.exports.get(events.id));
  const bulk = [
    await live.bulkActions.createForContacts({
      action: 'tag',
      filter: { tag: 'pottery' },
      tags: ['kiln-news'],
    }),
    await live.bulkActions.createForMessages({
      action: 'suppress',
      filter: { status: ['bounced'], from: [COMPANY.bookings.email] },
      reason: 'bounce',
    }),
  ];
  for (const one of bulk) {
    if (one.object === 'bulk_action') await finished(() => live.bulkActions.get(one.id));
  }
}
