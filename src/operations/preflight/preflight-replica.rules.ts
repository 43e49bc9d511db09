// The check of the replica of the embedded database.
import { groupedDigits } from '../../lib/rows/index.js';
import { type ReplicaFacts, replicaProblem } from '../../replica/replica-health.rules.js';
import type { CheckResult } from './preflight.rules.js';

const MIB = 1024 ** 2;

/** No result without a replica. Storage that does not respond fails the check if mail is refused meanwhile. */
export function judgeReplica(facts: ReplicaFacts | null, now: number): CheckResult[] {
  if (facts === null) return [];
  const { storage, waits, base } = facts;
  const question = {
    name: 'replica',
    subject: storage,
    expected: 'a full copy, and every change within a minute',
  } as const;
  const problem = replicaProblem(facts, now);
  switch (problem?.kind) {
    case undefined: {
      const observed =
        base === null ? 'up to date' : `up to date; last full copy ${new Date(base.at).toISOString()}`;
      return [{ ...question, status: 'pass', observed, remedy: null }];
    }
    case 'away':
      return [
        {
          ...{ ...question, status: waits ? 'fail' : 'warn' },
          observed: `has not responded since ${new Date(problem.since).toISOString()}: ${problem.reason}`,
          remedy: waits
            ? 'Check its network, credentials and free space. Mailkeel retries automatically, and refuses requests that write until it responds.'
            : 'Check its network, credentials and free space. Mailkeel retries automatically.',
        },
      ];
    case 'behind':
      return [
        {
          ...{ ...question, status: 'warn' },
          observed: `${groupedDigits(Math.round(problem.lagMs / 1000))} seconds behind; ${groupedDigits(Math.ceil(problem.waitingBytes / MIB))} MiB waiting`,
          remedy: 'Changes arrive faster than they can be stored. Check the bandwidth to the replica.',
        },
      ];
    case 'same_disk':
      return [
        {
          ...{ ...question, status: 'warn' },
          observed: 'on the same disk as the database',
          remedy:
            'Set MAILKEEL_REPLICA_TO to a bucket or a folder on another disk. Check that the other disk is mounted.',
        },
      ];
    case 'incomplete':
      return [
        {
          ...{ ...question, status: 'warn' },
          observed: 'the full copy is not complete yet',
          remedy: 'Wait until it is stored. Until then, this server cannot be restored from the replica.',
        },
      ];
  }
}
