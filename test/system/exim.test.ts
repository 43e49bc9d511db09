// What a real Exim says to us, phase by phase, and what we make of it: status, trail, conversation and explanation.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ensureExim, startExim, type Exim, type EximOptions } from '../support/exim.js';
import { insightInto } from '../support/insight.js';
import { startMailRig, type MailRig } from '../support/mail-rig.js';

const skipReason = ensureExim();
if (skipReason !== null) console.warn(`skipped: before Exim: ${skipReason}`);

describe.skipIf(skipReason !== null)('before a real Exim', () => {
  let exim: Exim;
  let rig: MailRig;
  beforeAll(async () => {
    exim = await startExim();
    rig = await startMailRig({ mxPort: exim.port });
  });
  it('x', async () => {
    const ids: Record<string, string> = {};
    await exim.onRcpt({
      'grey@receiver.example': '451 4.7.1 Greylisted, come back later',
      'defer@receiver.example': '451 Temporary local problem - please try later',
      'full@receiver.example': '552 5.2.2 Mailbox quota exceeded',
    });
    await exim.onData({ 'spam@receiver.example': '550 This message was classified as SPAM and may not be delivered', 'later@receiver.example': '451 4.3.0 Content scan timed out' });
    for (const n of ['anna', 'nobody', 'grey', 'defer', 'full', 'spam', 'later', 'x@other.test']) {
      if (n.includes('other')) { rig.dns.set('other.test', 'MX', [{preference: 1, exchange: 'mx.receiver.example'}]); }
      ids[n] = await rig.send(n);
    }
    await new Promise(r => setTimeout(r, 3000));
    for (const [n, id] of Object.entries(ids)) {
      console.log(n, JSON.stringify((await rig.appliance.api('GET', `/v1/messages/${id}/explain`)).json, null, 1), JSON.stringify((await rig.message(id))['error']), JSON.stringify((await insightInto(rig.appliance).attempts(id)).slice(0,1)));
    }
    console.log(exim.log(), (await exim.mailbox()).map(String).join('----\n'));
    await rig.close(); await exim.close();
  });
});
