// Reads the kernel's figures about the machine and a process (Linux, proc(5)).
import { readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';

const TICKS_PER_SECOND = 100;
const PARENT = 1;
/** utime, stime */
const OWN = [11, 12];
/** The same with cutime and cstime, the children that have ended. */
const FAMILY = [11, 12, 13, 14];
const FILE_SYSTEMS: Record<number, string> = {
  0xef53: 'ext4',
  0x01021994: 'tmpfs (not durable)',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x794c7630: 'overlay',
};

/** User and system CPU of a process since its start, of all threads, including ended ones. Throws if the process has ended. */
export function cpuSeconds(pid: number, file = `/proc/${pid}/stat`): number {
  const fields = readStat(file);
  if (fields === null) throw new Error(`process ${pid} is gone`);
  return OWN.reduce((ticks, field) => ticks + Number(fields[field]), 0) / TICKS_PER_SECOND;
}

/** The same for its main thread. */
export function mainThreadCpuSeconds(pid: number): number {
  return cpuSeconds(pid, `/proc/${pid}/task/${pid}/stat`);
}

/** The same for a process, its children that have ended and its children that live. */
export function familyCpuSeconds(parent: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const fields = readStat(`/proc/${name}/stat`);
    if (fields === null) continue;
    const counted = Number(name) === parent ? FAMILY : Number(fields[PARENT]) === parent ? OWN : [];
    for (const field of counted) ticks += Number(fields[field]);
  }
  return ticks / TICKS_PER_SECOND;
}

/** The fields after the name, starting with the state; null if the process has ended. */
function readStat(file: string): string[] | null {
  try {
    const stat = readFileSync(file, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
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

/** Resets the peak of `memoryOf` to the resident size. */
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
