// What waits for a session of a site: lower ranks first, and within a rank in the order of arrival.
import type { SiteJob } from './site.js';

export interface WaitingJobs {
  readonly length: number;
  push(job: SiteJob): void;
  /** Back to the front of its rank. */
  unshift(job: SiteJob): void;
  shift(): SiteJob | undefined;
  /** Takes out everything, or what has waited since before `before` (epoch ms). */
  takeAll(before?: number): SiteJob[];
}

export function createWaitingJobs(): WaitingJobs {
  /** By rank; holes are ranks that nothing has waited in yet. */
  const ranks: (SiteJob[] | undefined)[] = [];
  let length = 0;

  function rankOf(job: SiteJob): SiteJob[] {
    return (ranks[job.rank] ??= []);
  }

  return {
    get length() {
      return length;
    },
    push(job) {
      rankOf(job).push(job);
      length += 1;
    },
    unshift(job) {
      rankOf(job).unshift(job);
      length += 1;
    },
    shift() {
      for (const jobs of ranks) {
        const job = jobs?.shift();
        if (!job) continue;
        length -= 1;
        return job;
      }
      return undefined;
    },
    takeAll(before = Infinity) {
      const taken: SiteJob[] = [];
      ranks.forEach((jobs, rank) => {
        if (!jobs) return;
        taken.push(...jobs.filter((job) => job.since < before));
        ranks[rank] = jobs.filter((job) => job.since >= before);
      });
      length -= taken.length;
      return taken;
    },
  };
}
