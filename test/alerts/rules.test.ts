// Tests when an incident begins and ends, when a person has quiet hours, and the text of alerts.
import { describe, expect, it } from 'vitest';
import { hostObservation, incidentChanges, HOST_SETTLE_MS } from '../../src/alerts/incidents.rules.js';
import { alertBody, alertMail, isQuiet, isTimeZone, type Told } from '../../src/alerts/notices.rules.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const check = (name: 'ptr' | 'disk_space' | 'spool', status: 'pass' | 'warn' | 'fail' | 'unknown') => ({
  ...{ name, subject: '192.0.2.1', status, observed: 'no PTR record', remedy: 'Add one.' },
});

describe('incidents', () => {
  const open = (goneSince: number | null) => [
    {
      ...({ id: 'inc_1', alert: 'host_check_failed', subject: 'ptr 192.0.2.1' } as const),
      ...{ organization_id: null, gone_since: goneSince },
    },
  ];
  const observed = (status: 'pass' | 'warn' | 'fail' | 'unknown') =>
    hostObservation('mx1', [check('ptr', status)], '/ws_1/live/health');

  it('begin once, and end only after their problem has been absent for a while', () => {
    expect(incidentChanges([], observed('fail'), NOW).opened).toMatchObject([
      { alert: 'host_check_failed', subject: 'ptr 192.0.2.1', title: 'Host check failed: ptr (192.0.2.1)' },
    ]);
    expect(incidentChanges(open(null), observed('fail'), NOW)).toEqual({
      ...{ opened: [], back: [], gone: [], closed: [] },
    });
    expect(incidentChanges(open(null), observed('pass'), NOW).gone).toEqual(['inc_1']);
    expect(incidentChanges(open(NOW), observed('fail'), NOW + 1).back).toEqual(['inc_1']);
    expect(incidentChanges(open(NOW), observed('pass'), NOW + HOST_SETTLE_MS - 1).closed).toEqual([]);
    expect(incidentChanges(open(NOW), observed('pass'), NOW + HOST_SETTLE_MS).closed).toEqual([
      { id: 'inc_1', at: NOW },
    ]);
  });

  it('do not change while their check has no result', () => {
    expect(incidentChanges(open(null), observed('unknown'), NOW).gone).toEqual([]);
  });

  it('begin with a warning if the check warns of a growing problem', () => {
    const warned = hostObservation('mx1', [check('ptr', 'warn'), check('disk_space', 'warn')], '/');
    expect(warned.problems.map(({ alert, isUrgent }) => [alert, isUrgent])).toEqual([['disk_filling', true]]);
  });
});

describe('quiet hours', () => {
  const hours = (quiet_from: string, quiet_to: string, time_zone = 'Europe/Berlin') => ({
    ...{ quiet_from, quiet_to, time_zone },
  });
  const at = (text: string): number => Date.parse(text);

  it("use the person's time zone, even when clocks change", () => {
    const night = hours('22:00', '07:00');
    // Berlin is an hour ahead of UTC in winter, and two in summer.
    expect(isQuiet(night, at('2026-01-02T05:59:00Z'))).toBe(true);
    expect(isQuiet(night, at('2026-01-02T06:00:00Z'))).toBe(false);
    expect(isQuiet(night, at('2026-07-02T05:00:00Z'))).toBe(false);
    expect(isQuiet(night, at('2026-07-02T20:00:00Z'))).toBe(true);
  });

  it('may be within a day, and require all fields', () => {
    expect(isQuiet(hours('12:00', '13:00', 'UTC'), at('2026-01-02T12:30:00Z'))).toBe(true);
    expect(isQuiet(hours('12:00', '13:00', 'UTC'), at('2026-01-02T13:00:00Z'))).toBe(false);
    expect(isQuiet({ quiet_from: null, quiet_to: null, time_zone: null }, NOW)).toBe(false);
    expect([isTimeZone('Europe/Berlin'), isTimeZone('Mars/Olympus')]).toEqual([true, false]);
  });
});

describe('the notice of an incident', () => {
  const told = (id: string, stage: 'opened' | 'closed', title = 'The last backup failed'): Told => ({
    stage,
    incident: {
      ...{ id, alert: 'backup_failed', title, detail: 'No space left.', path: '/ws_1/live/health' },
      ...{ is_urgent: 0, opened_at: NOW, closed_at: stage === 'closed' ? NOW + 60_000 : null },
    },
  });

  it('is one mail with the event, the time and a link', () => {
    const mail = alertMail([told('inc_1', 'opened')], 'https://mail.example.test');
    expect(mail.subject).toBe('The last backup failed');
    expect(mail.text).toContain('No space left. Since 2026-01-02T03:04:05.000Z.');
    expect(mail.text).toContain('https://mail.example.test/ws_1/live/health');
  });

  it('mentions an incident once that began and ended in between', () => {
    const both = [told('inc_1', 'opened'), told('inc_1', 'closed'), told('inc_2', 'opened')];
    const { subject, text } = alertMail(both, 'https://mail.example.test');
    expect(subject).toBe('2 alerts');
    expect(text.match(/The last backup failed/g)).toHaveLength(2);
    expect(text).toContain('Resolved: The last backup failed');
  });

  it('is an event, a digest, or a text without markup for Slack', () => {
    const at = { publicUrl: 'https://mail.example.test', now: NOW };
    expect(JSON.parse(alertBody('event', [told('inc_1', 'opened')], at))).toMatchObject({
      event: 'alert.opened',
      data: [{ id: 'inc_1', object: 'alert', alert: 'backup_failed', closed_at: null }],
    });
    const digest = alertBody('event', [told('inc_1', 'opened'), told('inc_2', 'closed')], at);
    expect(JSON.parse(digest)).toMatchObject({ event: 'alert.digest' });
    const slack = JSON.parse(alertBody('slack', [told('inc_1', 'opened', '<!channel> & *now*')], at)) as {
      text: string;
    };
    expect(slack.text).toMatch(/^\*&lt;!channel&gt; &amp; now\*\n/);
  });
});
