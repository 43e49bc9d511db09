// Tests the lessons from the end of a message and from its sessions.
import { expect, it } from 'vitest';
import type { AttemptResult } from '../../src/outbound/outcome/attempt.rules.js';
import type { PathSignal } from '../../src/outbound/deliver/delivery-plan.rules.js';
import { Feedback, type Track } from '../../src/outbound/shape/feedback.js';
import { newClaim } from '../support/new-claim.js';

const PATH = { plan: { via: 'mta', source: 'old' }, provider: null, openSessions: 0, triggers: new Map() };
const SITE = { source: 'old', site: 'mx.there.test', provider: null };

function feedbackWith() {
  const calls: string[] = [];
  const note = (name: string) => () => void calls.push(name);
  const parts = {
    paths: { byId: () => PATH, accepted: note('accepted') },
    breakers: { reached: note('reached'), failed: note('failed') },
    window: { answered: () => undefined, returned: () => undefined },
    clock: () => 1_000,
  };
  return { calls, feedback: new Feedback(parts as never) };
}

it('counts a message delivered over a kept session as a success of its destination', () => {
  const { calls, feedback } = feedbackWith();
  const peer = { host: '', address: '', localAddress: null, tls: null, tlsPolicy: '', provider: null };
  const result: AttemptResult = {
    kind: 'accepted',
    reply: { code: 250, enhanced: null, text: 'taken' },
    peer,
  };
  const track = { path: PATH, site: SITE, startedAt: 0 } as unknown as Track;
  feedback.ended(track, newClaim(1), result, null);
  expect(calls).toEqual(['accepted', 'reached']);
});

it.each<[string, object, string]>([
  ['lacks the required TLS', { kind: 'unreachable', phase: 'tls' }, 'reached'],
  ['does not respond', { kind: 'unreachable', phase: 'connect' }, 'failed'],
])('updates a destination that %s', (_what, signal, call) => {
  const { calls, feedback } = feedbackWith();
  feedback.observed({
    ...signal,
    pathId: 1,
    site: 'mx.there.test',
    at: 0,
    error: '',
    isOurs: false,
  } as PathSignal);
  expect(calls).toEqual([call]);
});
