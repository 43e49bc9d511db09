// Messages that wait for a session of a site, by rank and then by arrival. Messages of one queue keep the order of the queue,
// so a message that was returned and claimed again precedes those that were claimed in between.
import type { SiteJob } from './site.js';

export class WaitingJobs {
  /** Jobs by rank. The array has holes for ranks without jobs. */
  readonly #ranks: (SiteJob[] | undefined)[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Rank of the next job; `Infinity` if none waits. */
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

  /** Puts a job back to the front of its rank. */
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
   * Removes all jobs of the queues that have a job older than `before` (epoch ms). Younger jobs of these queues are removed
   * too, because they would otherwise be sent first.
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

/** Moves the last job before the jobs of its queue that are due later. Other queues keep their positions. */
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
