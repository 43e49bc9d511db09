// A slower machine: a share of the CPU for one process, all threads, by a control group of the kernel (version 2 or 1; needs root).
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const PERIOD_US = 20_000;
const END_MS = 5_000;
const POLL_MS = 50;

/** Gives the process `cores` (a fraction) of CPU time. Returns how to remove the group, which waits for the process's end. */
export function limitCpu(pid: number, cores: number): () => Promise<void> {
  const isV2 = existsSync('/sys/fs/cgroup/cgroup.controllers');
  const folder = `/sys/fs/cgroup/${isV2 ? '' : 'cpu/'}mailkeel-bench-${pid}`;
  if (isV2) writeFileSync('/sys/fs/cgroup/cgroup.subtree_control', '+cpu');
  mkdirSync(folder);
  const quotaUs = Math.round(cores * PERIOD_US);
  if (isV2) writeFileSync(`${folder}/cpu.max`, `${quotaUs} ${PERIOD_US}`);
  else {
    writeFileSync(`${folder}/cpu.cfs_period_us`, String(PERIOD_US));
    writeFileSync(`${folder}/cpu.cfs_quota_us`, String(quotaUs));
  }
  writeFileSync(`${folder}/cgroup.procs`, String(pid));
  return async () => {
    const deadline = Date.now() + END_MS;
    for (;;) {
      try {
        rmdirSync(folder);
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await delay(POLL_MS);
      }
    }
  };
}
