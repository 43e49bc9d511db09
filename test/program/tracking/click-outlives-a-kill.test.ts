// Tests that an answered click is in the trail, even if the program is killed at that moment.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { simpleParser } from 'mailparser';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

const TARGET = 'https://shop.example/a?x=1';

let sink: SmtpSink;
let rig: MailRig;
beforeEach(async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ mxPort: sink.port });
});
afterEach(async () => {
  await rig.close();
  await sink.close();
});

it('keeps a click if the server is killed right after the response', async () => {
  const id = await rig.send('ann', { html: `<p><a href="${TARGET}">Look</a></p>`, track_clicks: true });
  await rig.reached(id, 'delivered');
  const { html } = await simpleParser(sink.messages[0]?.raw ?? '');
  const [, url = ''] = /href="([^"]+)"/.exec(String(html)) ?? [];
  const { pathname } = new URL(url);

  const answer = await fetch(`http://127.0.0.1:${rig.appliance.port}${pathname}`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, TARGET]);
  await rig.appliance.end('SIGKILL');
  await rig.appliance.startHere();

  const trail = await rig.trail(id);
  expect(events(trail).at(-1)).toBe('clicked');
  expect(trail.at(-1)?.metadata).toMatchObject({ url: TARGET, link: 0 });
});
