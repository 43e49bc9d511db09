import { afterEach, describe, expect, it } from 'vitest';
import { compileBounceRules } from '../../src/outbound/outcome/bounce-class.rules.js';
import type { DeliveryPlan, PathPlan, PlannedRoute } from '../../src/outbound/deliver/delivery-plan.rules.js';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import { createLog, systemClock, workerUrl } from '../../src/lib/runtime/index.js';
import { loadConfig } from '../../src/settings/load.js';
import { readShipped } from '../../src/settings/shipped.js';
import type { InFlight } from '../../src/outbound/schedule/admission.js';
import { MtaTransport } from '../../src/outbound/deliver/transport.js';
import { DeliveryWorkers } from '../../src/outbound/deliver/workers.js';
import { openKeyGeneration } from '../../src/domains/keys/key-generation.js';
import { newEntry } from '../support/new-claim.js';
import { waitFor } from '../support/wait.js';

let transport: MtaTransport | null = null;

afterEach(async () => {
  await transport?.stop();
  transport = null;
});

/** A transport whose workers die at startup, because there is no database. */
function withDyingWorkers(
  onLost: (entries: readonly InFlight[]) => void,
  options: {
    plan?: () => DeliveryPlan | Promise<DeliveryPlan>;
    commit?: () => Promise<never>;
    onEnded?: () => void;
  } = {},
): MtaTransport {
  const { config } = loadConfig({ env: { MAILKEEL_DATA_DIR: '/nowhere' } });
  const route: PlannedRoute = {
    kind: 'temporary',
    category: 'network',
    enhanced: '4.4.3',
    message: 'no DNS',
  };
  const limits = { connections: 1, connectionRate: null, messagesPerConnection: 1, idleMs: 1_000 };
  const path: PathPlan = {
    id: 1,
    via: 'mta',
    source: 'default',
    localAddress4: null,
    localAddress6: null,
    ehloName: 'mta.sender.test',
    provider: null,
    limits,
    openedTat: null,
  };
  const log = createLog('fatal');
  const token = { id: 1, secret: Buffer.alloc(32) };
  const keys = { masterKey: Buffer.alloc(32), tokenKeys: { active: token, all: [token] } };
  const keyGeneration = openKeyGeneration();
  const workers = new DeliveryWorkers({
    config: { ...config, mtaWorkers: 1 },
    place: { kind: 'file', file: '/nowhere/mail.db' },
    busyTimeoutMs: 100,
    workerUrl: workerUrl('app/delivery-worker.js'),
    rules: { egress: { smarthosts: new Map() } as never },
    ...{ keys, keyGeneration, log },
  });
  return new MtaTransport(
    {
      store: {
        commit: options.commit ?? (() => Promise.resolve({ messageIds: [], queueIds: [], intended: [] })),
        messages: undefined as never,
        attempts: undefined as never,
      },
      clock: systemClock,
      log,
      owner: 'here',
      outcomes: {
        retryScheduleMs: [1_000],
        ambiguousHoldMs: 1_000,
        ambiguousTransactional: 'retry',
        ambiguousMarketing: 'leave_sent',
        ambiguousRetryLimit: 2,
        holdMs: 1_000,
        greylistRetryMs: 1_000,
        blockedRetryMs: 1_000,
        blockedRetries: 3,
        delayWarningMs: 1_000,
        deadDomainRecheckMs: 1_000,
        skipRecipient: () => [],
        rules: compileBounceRules(readShipped('bounce-rules'), compileProviders(readShipped('providers'))),
      },
      tlsCounts: { add: () => undefined },
      onCommitted: () => undefined,
      onMoved: () => undefined,
    },
    {
      workers,
      shaper: {
        plan:
          options.plan ?? (() => ({ kind: 'go', path, group: 'there.test', route, note: null, share: null })),
        observe: () => undefined,
        ended: () => undefined,
        otherSource: () => null,
        workerEnded: options.onEnded ?? (() => undefined),
      },
      dispatch: { end: () => undefined, lose: onLost },
    },
  );
}

describe('the transport', () => {
  it('passes mail that arrives between two workers to the next one, without loss', async () => {
    const lost: number[] = [];
    transport = withDyingWorkers((entries) => {
      lost.push(...entries.map(({ claim }) => claim.messageId));
      // Dispatch uses the free slot to claim the next message.
      if (lost.length < 3) transport?.deliver([newEntry(lost.length + 1)]);
    });
    transport.start();
    transport.deliver([newEntry(1)]);
    await waitFor('three workers have died with a message each', () => lost.length === 3, Boolean, 20_000);
    expect(lost).toEqual([1, 2, 3]);
  }, 30_000);

  it.each<[string, () => DeliveryPlan | Promise<DeliveryPlan>]>([
    [
      'cannot be planned',
      () => {
        throw new Error('a fault');
      },
    ],
    ['cannot be planned later', () => Promise.reject(new Error('a fault'))],
    ['cannot be put back', () => ({ kind: 'replan', side: null })],
  ])('leaves a message to its row if it %s, and continues with the rest', async (_what, plan) => {
    const lost: number[] = [];
    const commit = (): Promise<never> => Promise.reject(new Error('constraint failed'));
    const onLost = (entries: readonly InFlight[]): void =>
      void lost.push(...entries.map(({ claim }) => claim.messageId));
    transport = withDyingWorkers(onLost, { plan, commit });
    transport.deliver([newEntry(1), newEntry(2)]);
    await waitFor('both are given up', () => lost.length === 2);
    expect(lost).toEqual([1, 2]);
  });

  it('starts no worker before the first mail, or after its end', async () => {
    let ends = 0;
    transport = withDyingWorkers(() => undefined, { onEnded: () => (ends += 1) });
    transport.start();
    await transport.stop();
    transport.deliver([newEntry(1)]);
    await transport.stop();
    expect(ends).toBe(0);
  });

  it('stops while no worker runs', async () => {
    const lost: number[] = [];
    transport = withDyingWorkers((entries) => lost.push(...entries.map(({ claim }) => claim.messageId)));
    transport.start();
    transport.deliver([newEntry(1)]);
    await waitFor('the worker is gone', () => lost.length === 1, Boolean, 20_000);
    await transport.stop();
    transport = null;
  }, 30_000);
});
