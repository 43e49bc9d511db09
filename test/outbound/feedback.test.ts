// What is learnt from the end of a message, and what it gives back.
import { expect, it } from 'vitest';
import type { AttemptResult, Outcome } from '../../src/outbound/outcome/attempt.rules.js';
import type { PathSignal } from '../../src/outbound/deliver/delivery-plan.rules.js';
import { createFeedback, type FeedbackDeps, type Ride } from '../../src/outbound/shape/feedback.js';
import { newClaim } from '../support/new-claim.js';

const PATH = { plan: { via: 'mta', source: 'old' }, provider: null, openSessions: 0, triggers: new Map() };
const PLACE = { source: 'old', site: 'mx.there.test', provider: null };

function feedbackWith() {
  const calls: string[] = [];
  const note = (name: string, answer?: unknown) => () => {
    calls.push(name);
    return answer;
  };
  const deps = {
    ways: { giveBack: note('way', true) },
    paths: { byId: () => PATH, accepted: note('accepted') },
    reachability: {
      reached: note('reached'),
      failed: note('failed'),
      probeUnused: note('probe unused'),
    },
    inFlight: { settled: () => undefined, returned: () => undefined },
    throttles: { giveBack: note('throttle', false) },
    clock: () => 1_000,
  };
  return { calls, feedback: createFeedback(deps as unknown as FeedbackDeps) };
}

function end(result: AttemptResult, isCounted = true) {
  const { calls, feedback } = feedbackWith();
  const ride = { path: PATH, place: PLACE, group: 'mx.there.test', startedAt: 0, isCounted, isRated: false };
  const others = feedback.ended(ride as unknown as Ride, newClaim(1), { result } as Outcome, null);
  return { calls, others };
}

it('gives back what a message took that did not come to an attempt', () => {
  const { calls, others } = end({ kind: 'unattempted', stalled: false });
  expect(calls).toEqual(['way', 'probe unused', 'throttle']);
  expect(others).toBe(true);
});

it('gives nothing of a path back for a message without a route, which took nothing of it', () => {
  const { calls, others } = end({ kind: 'held', reason: 'signing', message: 'no key' }, false);
  expect(calls).toEqual(['throttle']);
  expect(others).toBe(false);
});

it('takes a message that a kept session delivered for news of its destination', () => {
  const peer = { host: '', address: '', localAddress: null, tls: null, tlsPolicy: '', provider: null };
  const reply = { code: 250, enhanced: null, text: 'taken' };
  expect(end({ kind: 'accepted', reply, peer }).calls).toEqual(['accepted', 'reached']);
});

it.each<[string, object, string]>([
  ['lacks the TLS that was wanted', { kind: 'unreachable', phase: 'tls' }, 'reached'],
  ['does not answer', { kind: 'unreachable', phase: 'connect' }, 'failed'],
])('knows a destination that %s', (_what, signal, call) => {
  const { calls, feedback } = feedbackWith();
  feedback.heard({
    ...signal,
    pathId: 1,
    site: 'mx.there.test',
    at: 0,
    error: '',
    isOurs: false,
  } as PathSignal);
  expect(calls).toEqual([call]);
});
