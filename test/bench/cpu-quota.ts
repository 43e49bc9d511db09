// Simulates a slower machine: limits the CPU share of one process, including all threads, with a control group of the kernel
// (version 2 or 1; needs root).
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const PERIOD_US = 20_000;
const END_MS = 5_000;
const POLL_MS = 50;

/**
 * Limits the process to `cores` (a fraction) of CPU time. Returns a function that removes the group after the process has ended.
 */
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
