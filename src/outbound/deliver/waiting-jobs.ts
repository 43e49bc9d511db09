// Messages that wait for a session of a site: lower ranks first, within a rank in the order of arrival, and those of one queue
// in the queue's own order: a message that was returned and came again goes before one that was claimed meanwhile.
import type { SiteJob } from './site.js';

export class WaitingJobs {
  /** By rank; holes are ranks that nothing has waited in yet. */
  readonly #ranks: (SiteJob[] | undefined)[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Rank of the job that `shift` takes; Infinity where none waits. */
  get firstRank(): number {
    const rank = this.#ranks.findIndex((jobs) => jobs !== undefined && jobs.length > 0);
    return rank < 0 ? Infinity : rank;
  }

  push(job: SiteJob): void {
    const jobs = this.#jobsAt(job);
    jobs.push(job);
    this.#length += 1;
    keepQueueOrder(jobs);
  }

  /** Back to the front of its rank. */
  unshift(job: SiteJob): void {
    this.#jobsAt(job).unshift(job);
    this.#length += 1;
  }

  shift(): SiteJob | undefined {
    for (const jobs of this.#ranks) {
      const job = jobs?.shift();
      if (!job) continue;
      this.#length -= 1;
      return job;
    }
    return undefined;
  }

  takeAll(): SiteJob[] {
    const taken = this.#ranks.flatMap((jobs) => jobs ?? []);
    this.#ranks.length = 0;
    this.#length = 0;
    return taken;
  }

  /**
   * Takes out the jobs of queues that have one which has waited since before `before` (epoch ms): were the others to stay, they
   * would leave before it.
   */
  takeQueuesOf(before: number): SiteJob[] {
    const taken: SiteJob[] = [];
    this.#ranks.forEach((jobs, rank) => {
      const overdue = new Set(jobs?.flatMap(({ queueId, since }) => (since < before ? [queueId] : [])));
      if (!jobs || overdue.size === 0) return;
      taken.push(...jobs.filter(({ queueId }) => overdue.has(queueId)));
      this.#ranks[rank] = jobs.filter(({ queueId }) => !overdue.has(queueId));
    });
    this.#length -= taken.length;
    return taken;
  }

  #jobsAt({ rank }: SiteJob): SiteJob[] {
    return (this.#ranks[rank] ??= []);
  }
}

/** Moves the last job before those of its queue that are due later. Each queue keeps the positions that it had. */
function keepQueueOrder(jobs: SiteJob[]): void {
  let last = jobs.length - 1;
  for (let i = last - 1; i >= 0; i -= 1) {
    const [job, other] = [jobs[last], jobs[i]];
    if (!job || !other || other.queueId !== job.queueId) continue;
    if (!isBefore(job, other)) return;
    [jobs[i], jobs[last]] = [job, other];
    last = i;
  }
}

function isBefore(one: SiteJob, other: SiteJob): boolean {
  return one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.messageId < other.messageId);
}
