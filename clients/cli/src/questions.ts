// Confirmation prompts for operations whose name does not show their effect.
import type { Mailkeel } from '@mailkeel/sdk';
import { cleanText, type Row } from './output.js';

type Question = (
  mailkeel: Mailkeel,
  ids: readonly string[],
  params: Row,
  signal: AbortSignal,
) => Promise<string>;

export const QUESTIONS: Readonly<Record<string, Question>> = { 'campaigns.send': campaignQuestion };

/** Names the campaign, its environment, the number of recipients, and the checks that failed. */
async function campaignQuestion(
  mailkeel: Mailkeel,
  [id = '']: readonly string[],
  { scheduled_at: at }: Row,
  signal: AbortSignal,
): Promise<string> {
  const [campaign, preview, { checks }] = await Promise.all([
    mailkeel.campaigns.get(id, { signal }),
    mailkeel.campaigns.preview(id, { limit: 1 }, { signal }).page(),
    mailkeel.campaigns.preflight(id, { signal }),
  ]);
  const { total } = preview as unknown as { total: number };
  const recipients = `${total.toLocaleString('en')} ${total === 1 ? 'recipient' : 'recipients'}`;
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
