// Tests that strangers who have seen a Mailkeel message, or are part of its conversation, cannot suppress anyone with what they
// write.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { replyAddress } from '../../src/messages/mail-tokens.rules.js';
import { returnPathLocal } from '../../src/messages/verp.rules.js';
import {
  BOUNCE_DOMAIN,
  FBL,
  FEEDBACK_SOURCE,
  INBOUND_DOMAIN,
  openMailReader,
  startInbound,
  type InboundProgram,
} from '../support/inbound.js';
import { TOKEN_KEY } from '../support/program.js';
import { deliveryReport, feedbackReport } from '../support/returned-mail.js';
import { newMessage } from '../database/contract/builders.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';

const ANN = 'ann@example.com';
const GONE = {
  recipient: ANN,
  action: 'failed',
  status: '5.1.1',
  diagnostic: '550 5.1.1 No such user',
} as const;

let rig: InboundProgram;
/** Shared by all rigs, because its threads take longer to start than most tests. Its name server does not exist. */
let sharedReader: ReturnType<typeof openMailReader>;
beforeAll(() => {
  sharedReader = openMailReader(['127.0.0.1:9'], { threads: 1 });
});
afterEach(() => rig.close());
afterAll(() => sharedReader.close());

async function sentToAnn() {
  rig = await startInbound({ sharedReader });
  const live = await rig.scopeOf('live');
  const message = newMessage(live, { to: ANN, queued: false, row: { status: 'delivered' } });
  await rig.store.commit([acceptMessage({ message })]);
  const named = { messageId: message.row.public_id, key: TOKEN_KEY };
  return {
    replyTo: replyAddress({ ...named, domain: INBOUND_DOMAIN }),
    returnPath: `${returnPathLocal({ ...named, domain: BOUNCE_DOMAIN })}@${BOUNCE_DOMAIN}`,
    suppressed: async () => (await rig.store.suppressions.suppressionsOf(live, [ANN])).length > 0,
  };
}

it('a report to the reply address bounces the message without suppression', async () => {
  const { replyTo, suppressed } = await sentToAnn();
  await rig.keep({ raw: deliveryReport(replyTo, GONE), to: replyTo });
  rig.start();
  expect(await rig.settled()).toMatchObject([{ outcome: 'bounced' }]);
  expect(await suppressed()).toBe(false);
});

it('the same report to the return path suppresses the recipient', async () => {
  const { returnPath, suppressed } = await sentToAnn();
  await rig.keep({ raw: deliveryReport(returnPath, GONE), to: returnPath });
  rig.start();
  expect(await rig.settled()).toMatchObject([{ outcome: 'bounced' }]);
  expect(await suppressed()).toBe(true);
});

it('a genuine report after a forged one still suppresses the recipient', async () => {
  const { replyTo, returnPath, suppressed } = await sentToAnn();
  await rig.keep({ raw: deliveryReport(replyTo, GONE), to: replyTo });
  rig.start();
  await rig.settled();
  await rig.keep({ raw: deliveryReport(returnPath, GONE), to: returnPath });
  expect((await rig.settled()).map(({ outcome }) => outcome)).toEqual(['bounced', 'duplicate']);
  expect(await suppressed()).toBe(true);
});

it('mail to the reply address never counts as a complaint', async () => {
  const { replyTo, suppressed } = await sentToAnn();
  const original = `From: shop@shop.example\r\nReply-To: <${replyTo}>\r\nSubject: Your order\r\n`;
  for (const to of [FBL, replyTo]) {
    await rig.keep({ raw: feedbackReport(to, { original }), to, client: FEEDBACK_SOURCE });
  }
  rig.start();
  const outcomes = (await rig.settled()).map(({ outcome }) => outcome);
  // At addresses that people read, it is stored as ordinary mail.
  expect(outcomes.sort()).toEqual(['auto_reply', 'complaint_about_unknown']);
  expect(await suppressed()).toBe(false);
});
