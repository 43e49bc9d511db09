// Kills the server once or twice while transactional messages (80, or 500 in full size) are accepted and delivered: none is lost,
// and duplicates exist only where the trail says that the program stopped between the final dot and the reply.
import { expect, it } from 'vitest';
import { runWithKills } from '../../support/kill-run.js';
import { sized } from '../../support/run-size.js';

const MESSAGES = sized({ small: 80, full: 500 });
const KILL_AT = sized({ small: [35], full: [120, 300] });

it('every accepted message arrives, and only flagged ones arrive twice', async () => {
  const result = await runWithKills({ messages: MESSAGES, clients: 10, killAt: KILL_AT });
  console.info(
    `${KILL_AT.length} kills during ${MESSAGES} messages: ${result.lost.length} lost, ` +
      `${result.doubles} arrived twice, ${result.unflagged.length} of them without a flag`,
  );
  expect(result).toMatchObject({ accepted: MESSAGES, lost: [], foreign: [], unflagged: [] });
  expect(result.mostCopies).toBeLessThanOrEqual(1 + KILL_AT.length);
}, 120_000);
