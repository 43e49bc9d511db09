// Tests commits that wait for a replica: which ones wait, for how long, and what is reported meanwhile.
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type Committer,
  type CommitReplica,
  createCommitter,
  OutcomeUnknown,
} from '../../src/database/committer.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';

const WAIT_MS = 60;

let folder: ReturnType<typeof temporaryFolder>;
let opened: OpenEngine;
let committer: Committer;
let problem: string | null;
/** Ends the waits. */
let stored: (() => void)[];
let isSwift: boolean;

beforeEach(async () => {
  [problem, stored, isSwift] = [null, [], true];
  folder = temporaryFolder();
  opened = await openMigratedFile(`${folder.path}/mail.db`);
  const replica: CommitReplica = {
    waitMs: WAIT_MS,
    problem: () => problem,
    store: () => (isSwift ? Promise.resolve() : new Promise((resolve) => stored.push(resolve))),
  };
  committer = createCommitter(opened.engine, { maxGroup: 10, replica: () => replica });
});
afterEach(async () => {
  for (const end of stored) end();
  await committer.drain();
  await opened.close();
  folder.remove();
});

const urgent = (value: string): Promise<string> =>
  committer.commitPlan(
    () => Promise.resolve(value),
    () => null,
    'urgent',
  );
const state = async (work: Promise<unknown>): Promise<string> => {
  const pending = new Promise((resolve) => setTimeout(resolve, WAIT_MS / 3, 'pending'));
  return String(await Promise.race([work.then(() => 'done'), pending]));
};

it('a client gets its answer when the replica has the commit', async () => {
  expect(await urgent('a')).toBe('a');
  isSwift = false;
  const waiting = urgent('b');
  expect(await state(waiting)).toBe('pending');
  for (const end of stored) end();
  expect(await waiting).toBe('b');
});

it('a client learns after a time that the outcome is unknown, and background work waits', async () => {
  isSwift = false;
  const background = committer.commit(() => Promise.resolve('work'));
  await expect(urgent('a')).rejects.toThrow(OutcomeUnknown);
  expect(await state(background)).toBe('pending');
  for (const end of stored) end();
  expect(await background).toBe('work');
});

it('a client is refused at once, and nothing is stored, while the replica is known not to respond', async () => {
  problem = 'the replica does not respond (no route to host)';
  let hasRun = false;
  const refused = committer.commitPlan(
    () => Promise.resolve((hasRun = true)),
    () => null,
    'urgent',
  );
  await expect(refused).rejects.toThrow('Nothing was stored.');
  expect(hasRun).toBe(false);
  expect(await committer.commit(() => Promise.resolve('background'))).toBe('background');
});

it('a response is repeated only when the replica has the changes that it confirms', async () => {
  await committer.secured();
  isSwift = false;
  const waiting = committer.secured();
  expect(await state(waiting)).toBe('pending');
  for (const end of stored) end();
  await waiting;
  await expect(committer.secured()).rejects.toThrow(OutcomeUnknown);
  problem = 'away';
  await expect(committer.secured()).rejects.toThrow('not in the replica yet');
});
