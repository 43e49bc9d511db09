// Kills the server in the middle of a campaign, while it is frozen, created and delivered. Every recipient has one message, none
// has two mails, and those without a mail are reported as in doubt. The full size is in test/long.
import { expect, it } from 'vitest';
import { runCampaignWithKills } from '../../support/campaign-kills.js';
import { sized } from '../../support/run-size.js';

const RECIPIENTS = sized({ small: 400, full: 1_000 });
const KILLS = sized({ small: 1, full: 2 });

it('continues where it stopped', async () => {
  const result = await runCampaignWithKills({ recipients: RECIPIENTS, kills: KILLS, deadlineMs: 90_000 });
  const { moments, none, ambiguous } = result;
  console.info(`killed at ${moments.join('; ')}: ${none.length} without mail, ${ambiguous} in doubt`);
  expect(result).toMatchObject({
    states: { created: RECIPIENTS },
    messages: RECIPIENTS,
    mismatched: 0,
    doubles: [],
    unlisted: [],
  });
  const { trail, measures, series, workspace } = result;
  expect({ measures, series, workspace }).toEqual({ measures: trail, series: trail, workspace: trail });
  expect(trail).toMatchObject({ queued: RECIPIENTS, sent: RECIPIENTS, failed: 0 });
}, 150_000);
