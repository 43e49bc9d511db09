// Creates campaigns in every state, with variants, edited copies and recipients who opened, clicked, bounced and complained, and
// sequences with people in them.
import type { Mailkeel, CampaignCreate } from '../../../clients/sdk/src/index.js';
import { fetcher } from '../newsletters.js';
import { waitFor } from '../wait.js';
import type { AudienceIds } from './audience.js';
import { COMPANY, person } from './company.js';
import type { Ground } from './ground.js';
import { linksOf } from './readers.js';
import type { TemplateIds } from './mail.js';

const DAY_MS = 86_400_000;

export interface CampaignIds {
  draft: string;
  scheduled: string;
  sending: string;
  paused: string;
  sent: string;
  canceled: string;
  empty: string;
  sandboxSent: string;
}

export async function addCampaigns(
  { live, sandbox, program }: Ground,
  { templates, lists }: { templates: TemplateIds; lists: AudienceIds },
): Promise<CampaignIds> {
  const letter: CampaignCreate = {
    name: 'April letter',
    list_id: lists.letterList,
    template_id: templates.letter,
    from: COMPANY.news,
    reply_to: COMPANY.from,
  };
  const make = async (more: Partial<CampaignCreate>, mailkeel = live): Promise<string> =>
    (await mailkeel.campaigns.create({ ...letter, ...more })).id;

  const sent = await make({
    name: 'March letter',
    list_id: lists.segment,
    track_opens: true,
    track_clicks: true,
  });
  await live.campaigns.send(sent);
  await hasEnded(live, sent);
  await beRead(program, 12);

  const variants = [
    { tag: 'pottery', template_id: templates.letterPottery, subject: 'The kiln is warm, {{first_name}}' },
  ];
  const draft = await make({ variants });
  for (const [index, subject] of [
    [0, 'Amélie, the raku course has a place for you'],
    [6, null],
  ] as const) {
    const html = '<p>Dear {{first_name}}, the course that you asked about opens on Monday. — Mara</p>';
    await live.campaigns.putOverride(draft, { email: person(index).email, subject, html });
  }
  const split = {
    variants: [
      { key: 'a', subject: 'Fourteen new courses in {{city}}' },
      { key: 'b', template_id: templates.letterPottery },
    ],
    ...{ test_percent: 20, metric: 'opened' as const, wait_minutes: 240 },
  };
  const sending = await make({ name: 'Spring programme, two subjects', split });
  const paused = await make({ name: 'Summer camps for children', split });
  for (const id of [sending, paused]) await live.campaigns.send(id);
  await waitFor(
    'the first copies of the paused one',
    () => live.campaigns.get(paused),
    ({ stats }) => stats.queued > 0,
  );
  await live.campaigns.pause(paused);
  const scheduled = await make({ name: 'May letter' });
  await live.campaigns.send(scheduled, { scheduled_at: new Date(Date.now() + 5 * DAY_MS).toISOString() });
  const canceled = await make({ name: 'Easter opening hours' });
  await live.campaigns.cancel(canceled);
  const empty = (await live.campaigns.create({ name: 'Untitled campaign' })).id;
  const sandboxSent = await make(
    { name: 'Trial run of the April letter', list_id: lists.sandboxList },
    sandbox,
  );
  await sandbox.campaigns.send(sandboxSent);
  await hasEnded(sandbox, sandboxSent);
  return { draft, scheduled, sending, paused, sent, canceled, empty, sandboxSent };
}

async function hasEnded(mailkeel: Mailkeel, id: string): Promise<void> {
  await waitFor(
    'the campaign to be sent',
    () => mailkeel.campaigns.get(id),
    ({ status }) => status === 'sent',
  );
}

/** Makes some recipients open their copy, and every third of them click its link. */
async function beRead({ sink, appliance }: Ground['program'], count: number): Promise<void> {
  const fetched = fetcher(appliance.port);
  const copies = sink.messages.filter(({ raw }) => raw.includes(COMPANY.news.email)).slice(0, count);
  for (const [index, { raw }] of copies.entries()) {
    const { pixel, links } = await linksOf(raw);
    const followed = index % 3 === 0 ? links.slice(0, 1) : [];
    for (const url of [pixel, ...followed]) if (url !== null) await fetched(url);
  }
}

export interface SequenceIds {
  onboarding: string;
  paused: string;
  sandbox: string;
}

export async function addSequences(
  { live, sandbox }: Ground,
  { templates, lists }: { templates: TemplateIds; lists: AudienceIds },
): Promise<SequenceIds> {
  const onboarding = await live.sequences.create({
    name: 'From sign-up to the first course',
    trigger: { type: 'list_joined', list_id: lists.openList },
    from: COMPANY.from,
    exit_on: ['unsubscribed', 'complained'],
    goal: { event: 'clicked' },
    steps: [
      { id: 'welcome', type: 'send', template: templates.welcome },
      { id: 'two-days', type: 'wait', hours: 48 },
      { id: 'opened', type: 'branch', event: 'opened', within_hours: 72, next_step_id: 'offer' },
      { id: 'again', type: 'send', template: templates.welcome, subject: 'Still looking for a course?' },
      { id: 'offer', type: 'send', template: templates.nudge },
      { id: 'end', type: 'exit' },
    ],
  });
  for (const index of [8, 9, 26, 27])
    await live.sequences.enroll(onboarding.id, { email: person(index).email });
  const paused = await live.sequences.create({
    name: 'A place has become free',
    trigger: { type: 'manual' },
    from: COMPANY.from,
    status: 'paused',
    steps: [{ id: 'tell', type: 'send', template: templates.nudge }],
  });
  const trial = await sandbox.sequences.create({
    name: 'Trial of the welcome',
    trigger: { type: 'manual' },
    steps: [
      { id: 'welcome', type: 'send', template: templates.welcome },
      { id: 'a-day', type: 'wait', hours: 24 },
      { id: 'offer', type: 'send', template: templates.nudge },
    ],
  });
  for (const i of [1, 3, 9])
    await sandbox.sequences.enroll(trial.id, { email: `opened+${i}@sandbox.example` });
  return { onboarding: onboarding.id, paused: paused.id, sandbox: trial.id };
}
