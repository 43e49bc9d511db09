// Measures the memory of a program that runs in its own process.
import { readFile } from 'node:fs/promises';
import type { Appliance } from './appliance.js';

/** MiB; `VmHWM` is the peak since it started. */
export async function memoryMib(appliance: Appliance, field: 'VmHWM' | 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${appliance.process().pid ?? 0}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}
