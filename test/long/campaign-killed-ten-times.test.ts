// Tests the full size of program/campaign-outlives-a-kill: ten kills in a campaign of 20,000.
import { expect, it } from 'vitest';
import { runCampaignWithKills } from '../support/campaign-kills.js';

const RECIPIENTS = 20_000;
const KILLS = 10;

it('every recipient has one message and at most one mail, and the others are listed as in doubt', async () => {
  const result = await runCampaignWithKills({ recipients: RECIPIENTS, kills: KILLS, deadlineMs: 1_200_000 });
  const { moments, none, ambiguous, doubles } = result;
  console.info(
    `${KILLS} kills during a campaign of ${RECIPIENTS}: ${result.messages} messages, ${doubles.length} mails twice, ` +
      `${none.length} recipients without mail, ${ambiguous} listed as in doubt\n${moments.join('\n')}`,
  );
  expect(result).toMatchObject({
    states: { created: RECIPIENTS },
    messages: RECIPIENTS,
    mismatched: 0,
    doubles: [],
    unlisted: [],
  });
  const { trail, measures, series, workspace } = result;
  expect({ measures, series, workspace }).toEqual({ measures: trail, series: trail, workspace: trail });
  expect(trail).toMatchObject({ queued: RECIPIENTS, failed: 0, bounced: 0 });
}, 1_500_000);
