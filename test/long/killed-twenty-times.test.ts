// Tests the full size of scenarios/killed-in-the-middle: twenty kills during 10,000 messages.
import { expect, it } from 'vitest';
import { runWithKills } from '../support/kill-run.js';

const MESSAGES = 10_000;
const KILL_AT = Array.from({ length: 20 }, (_, i) => 250 + 475 * i);

it('every accepted message arrives, and only flagged ones arrive twice', async () => {
  const result = await runWithKills({ messages: MESSAGES, clients: 20, killAt: KILL_AT });
  console.info(
    `${KILL_AT.length} kills during ${MESSAGES} messages: ${result.lost.length} lost, ` +
      `${result.doubles} arrived twice, ${result.unflagged.length} of them without a flag`,
  );
  expect(result).toMatchObject({ accepted: MESSAGES, lost: [], foreign: [], unflagged: [] });
  expect(result.mostCopies).toBeLessThanOrEqual(1 + KILL_AT.length);
}, 1_800_000);
