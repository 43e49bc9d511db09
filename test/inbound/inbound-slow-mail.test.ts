// Tests that mail from senders whose name servers never respond does not block bounces and other people's replies.
import { afterEach, expect, it } from 'vitest';
import { InProgress } from '../../src/inbound/classify/process.js';
import type { WaitingMail } from '../../src/inbound/inbound.store.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import type { MailReader } from '../../src/inbound/classify/mail-reader.js';
import { BOUNCE_DOMAIN, openMailReader, startInbound, type InboundProgram } from '../support/inbound.js';
import { waitFor } from '../support/wait.js';
import { feedbackReport } from '../support/returned-mail.js';

/** More than there are parsing threads, but fewer than slots. */
const SLOW = 10;

let rig: InboundProgram | undefined;
let reader: MailReader | undefined;
let dns: TestDnsServer | undefined;
afterEach(async () => {
  await rig?.close();
  await reader?.close();
  await dns?.close();
  rig = undefined;
  reader = undefined;
  dns = undefined;
});

it('handles up to as many slow mails as there are slots', async () => {
  dns = await startDnsServer();
  for (const name of ['slow.example', '_dmarc.slow.example', 's._domainkey.slow.example'])
    dns.fault(name, 'drop');
  // Closing the rig waits for these lookups.
  reader = openMailReader([dns.address], { lookUpsMs: 2_000 });
  rig = await startInbound({ dnsServers: [dns.address], sharedReader: reader });
  const { store } = rig;
  const complaint = feedbackReport(`fbl@${BOUNCE_DOMAIN}`, { original: '', from: 'abuse@slow.example' });
  const signed = `DKIM-Signature: v=1; a=rsa-sha256; d=slow.example; s=s; h=from; bh=AAAA; b=AAAA\r\n${complaint}`;
  for (let host = 1; host <= SLOW; host += 1) {
    await rig.keep({
      raw: signed,
      to: `fbl@${BOUNCE_DOMAIN}`,
      from: 'abuse@slow.example',
      client: `192.0.2.${host}`,
    });
  }
  await rig.keep({
    raw: 'Subject: hello\r\n\r\nx\r\n',
    to: `postmaster@${BOUNCE_DOMAIN}`,
    client: '198.51.100.1',
  });
  rig.start();
  await waitFor(
    'the last to be through',
    () => store.inbound.latest(1),
    ([last]) => last?.state === 'done',
  );
  const others = await store.inbound.latest(100, 'waiting');
  expect(others).toHaveLength(SLOW);
}, 60_000);

it('limits slots and octets', async () => {
  const underWay = new InProgress({ mails: 3, octets: 100 });
  const mail = (id: number, octets: number) => ({ id, size_bytes: octets }) as WaitingMail;
  const mails = [mail(1, 500), mail(2, 40), mail(3, 60), mail(4, 1), mail(5, 1)];
  const ids = (some: readonly WaitingMail[]): number[] => some.map(({ id }) => id);
  expect(ids(underWay.fitting(mails))).toEqual([1]);
  expect(ids(underWay.fitting(mails.slice(1)))).toEqual([2, 3]);
  const ends = new Map<number, () => void>();
  for (const one of mails.slice(1, 3)) {
    underWay.begin(one, () => new Promise((resolve) => ends.set(one.id, resolve)));
  }
  expect(ids(underWay.others()(mails))).toEqual([1, 4, 5]);
  expect(underWay.fitting([mail(4, 1)])).toEqual([]);
  const ended = underWay.oneEnded();
  ends.get(3)?.();
  await ended;
  expect(underWay.count()).toBe(1);
  expect(ids(underWay.fitting([mail(4, 1), mail(5, 1), mail(6, 1)]))).toEqual([4, 5]);
  ends.get(2)?.();
  await underWay.allEnded();
  await underWay.oneEnded();
  expect(underWay.count()).toBe(0);
});
