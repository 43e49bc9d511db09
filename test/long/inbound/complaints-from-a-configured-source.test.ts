// Tests that unsigned feedback loops are trusted by their source address if the operator configures it.
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { feedbackReport, headerOf } from '../../support/returned-mail.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';

const FBL = 'fbl@mta.platform.example';

let rig: SinkRig;

afterEach(() => rig.close());

it("a source with Mailkeel's peer makes its unsigned reports count, even with the message alone", async () => {
  rig = await startMailRigWithSink({
    process: 'shared',
    env: { MAILKEEL_FEEDBACK_SOURCES: '192.0.2.0/24, 127.0.0.0/8' },
  });
  const sent = await rig.deliver('ann');
  const raw = feedbackReport(FBL, { original: headerOf(sent.mail) });
  expect(await rig.comesBack(raw, FBL, 'fbl@provider.example')).toMatchObject({ outcome: 'complaint' });
  expect(await rig.message(sent.id)).toMatchObject({ status: 'complained' });

  // Microsoft's format: the message without a report.
  const other = await rig.deliver('bea');
  const form = readFileSync(
    new URL('../../corpus/complaints/05-microsoft-jmrp.eml', import.meta.url),
    'latin1',
  );
  const jmrp = form.replace(
    /(Content-Disposition: attachment\r\n\r\n)[^]*(\r\n--=_report_boundary_1--)/,
    (_, before: string, after: string) => `${before}${other.mail.raw.toString('latin1')}${after}`,
  );
  expect(jmrp).toContain('bea@receiver.example');
  expect(await rig.comesBack(jmrp, FBL, 'staff@hotmail.example')).toMatchObject({
    outcome: 'complaint',
    detail: { message: other.id },
  });
  expect(await rig.suppression('bea@receiver.example')).toMatchObject({ reason: 'complaint' });
});

it('a source without it makes none count', async () => {
  rig = await startMailRigWithSink({ process: 'shared', env: { MAILKEEL_FEEDBACK_SOURCES: '192.0.2.0/24' } });
  const sent = await rig.deliver('ann');
  const raw = feedbackReport(FBL, { original: headerOf(sent.mail) });
  expect(await rig.comesBack(raw, FBL, 'fbl@provider.example')).toMatchObject({
    outcome: 'complaint_untrusted',
  });
  expect(await rig.message(sent.id)).toMatchObject({ status: 'delivered' });
});
