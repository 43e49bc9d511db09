// Tests that a reply which stops a path also stops claimed mail: only the open transactions continue.
import { afterEach, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

const MESSAGES = 60;
const CONNECTIONS = 4;
let rig: MailRig;
let sink: SmtpSink;

afterEach(async () => {
  await rig.close();
  await sink.close();
});

it.each([
  ['a block list', '550 5.7.1 Service unavailable; client host [127.0.0.1] blocked using zen.spamhaus.org'],
  [
    'a rate that was exceeded',
    '421 4.7.650 The mail server has been temporarily rate limited due to IP reputation',
  ],
])('after %s waiting mail returns to the queue unchanged', async (_what, reply) => {
  let asked = 0;
  sink = await startSmtpSink({
    keep: true,
    thinksMs: 100,
    onRcpt: () => {
      asked += 1;
      return asked > 10 ? reply : null;
    },
  });
  rig = await startMailRig({
    process: 'shared',
    mxPort: sink.port,
    env: {
      MAILKEEL_RETRY_SCHEDULE: '1h…',
      MAILKEEL_SHAPING: JSON.stringify({
        own_network: { connections: CONNECTIONS, connections_max: CONNECTIONS },
        automation: [
          {
            name: 'rate-limited',
            code: '4',
            pattern: 'rate limited',
            trigger: 'immediate',
            action: { suspend: '30m' },
          },
        ],
      }),
    },
  });
  const ids = await Promise.all(Array.from({ length: MESSAGES }, (_, i) => rig.send(`r${i}`)));
  const insight = insightInto(rig.appliance);
  await waitFor('the path is suspended', async () =>
    (await insight.overrides()).some(({ kind }) => kind === 'suspend'),
  );
  // Messages that were not checked have not lost an attempt.
  await waitFor('every answer is written down', async () => {
    const tried = await Promise.all(ids.map((id) => insight.attempts(id)));
    return tried.filter((attempts) => attempts.length > 0).length === asked;
  });
  expect(asked).toBeLessThanOrEqual(11 + CONNECTIONS);
  const here = await insight.destination('receiver.example');
  expect(here?.depth).toBe(MESSAGES - 10);
});
