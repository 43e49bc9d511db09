// What the kernel says about the machine and a process (Linux, proc(5)).
import { readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

const TICKS_PER_SECOND = 100;
const UTIME = 11;
const STIME = 12;
const FILE_SYSTEMS: Record<number, string> = {
  0xef53: 'ext4',
  0x01021994: 'tmpfs (not durable)',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x794c7630: 'overlay',
};

/** User and system CPU of a process since its start, all threads, ended ones too. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold spaces; the fields that follow it start with the state.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[UTIME]) + Number(fields[STIME])) / TICKS_PER_SECOND;
}

/** CPU of each thread of a process, by its name and id. */
export function threadCpuSeconds(pid: number, threadIds: readonly string[]): number[] {
  return threadIds.map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[UTIME]) + Number(fields[STIME])) / TICKS_PER_SECOND;
  });
}

export interface Memory {
  residentMb: number;
  peakMb: number;
}

export function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  };
  return { residentMb: read('VmRSS'), peakMb: read('VmHWM') };
}

/** Starts the peak of `memoryOf` again from what is resident now. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

export function fileSystemOf(path: string): string {
  const { type } = statfsSync(path);
  return FILE_SYSTEMS[type] ?? `0x${type.toString(16)}`;
}

export function machineLine(dataPath: string): string {
  const cores = cpus();
  const memoryGb = (totalmem() / 2 ** 30).toFixed(1);
  return [
    cores[0]?.model.trim() ?? 'unknown CPU',
    `${cores.length} cores`,
    `${memoryGb} GB`,
    `node ${process.version}`,
    `data on ${fileSystemOf(dataPath)}`,
    `load ${loadLine()}`,
  ].join(', ');
}

/** Load averages over 1, 5 and 15 minutes. */
export function loadLine(): string {
  return loadavg()
    .map((load) => load.toFixed(2))
    .join(' ');
}
