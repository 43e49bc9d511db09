// Confirmation prompts for operations whose name does not show their effect.
import type { Mailkeel } from '@mailkeel/sdk';
import { cleanText, type Row } from './output.js';
import type { World } from './world.js';

/** Questions to a server that counts recipients, which takes up to 2 seconds to answer each. */
const MOST_POLLS = 20;
const POLL_MS = 500;

type Question = (
  mailkeel: Mailkeel,
  ids: readonly string[],
  params: Row,
  world: Pick<World, 'signal' | 'sleep'>,
) => Promise<string>;

export const QUESTIONS: Readonly<Record<string, Question>> = { 'campaigns.send': campaignQuestion };

/** Names the campaign, its environment, the number of recipients, and the checks that failed. */
async function campaignQuestion(
  mailkeel: Mailkeel,
  [id = '']: readonly string[],
  { scheduled_at: at }: Row,
  world: Pick<World, 'signal' | 'sleep'>,
): Promise<string> {
  const { signal } = world;
  const [campaign, total, { checks }] = await Promise.all([
    mailkeel.campaigns.get(id, { signal }),
    countRecipients(mailkeel, id, world),
    mailkeel.campaigns.preflight(id, { signal }),
  ]);
  const count = total === null ? 'an unknown number of' : total.toLocaleString('en');
  const recipients = `${count} ${total === 1 ? 'recipient' : 'recipients'}`;
  const where = campaign.sandbox ? 'in the sandbox (nothing is delivered)' : 'in the live environment';
  const problems = checks
    .filter(({ status }) => status === 'fail' || status === 'warn')
    .map(
      ({ code, status, message }) =>
        `  ${status === 'fail' ? 'FAILED' : 'warning'}  ${code}: ${cleanText(message)}`,
    );
  return [
    `Campaign "${cleanText(campaign.name)}" (${campaign.id}) will be sent to ${recipients} ${where}.`,
    ...(problems.length === 0 ? ['All checks passed.'] : problems),
    typeof at === 'string' ? `Schedule it for ${at}?` : 'Send it now?',
  ].join('\n');
}

/** Asks until the server has counted a large audience. Returns null if that takes too long. */
async function countRecipients(
  mailkeel: Mailkeel,
  id: string,
  { signal, sleep }: Pick<World, 'signal' | 'sleep'>,
): Promise<number | null> {
  for (let polls = 1; ; polls++) {
    const { total } = await mailkeel.campaigns.preview(id, { limit: 1 }, { signal });
    if (total !== null || polls === MOST_POLLS) return total;
    await sleep(POLL_MS);
  }
}
