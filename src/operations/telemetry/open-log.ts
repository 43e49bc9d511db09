// A file in the data folder that is there while the program may hold lines of the delivery log in memory. One that is found at a
// start says that the program before ended without writing all of them.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'delivery-log.open';

/** True when lines of the former run may be lost. Throws where the folder cannot be written. */
export function openDeliveryLog(dataFolder: string): boolean {
  const file = join(dataFolder, NAME);
  const isFound = existsSync(file);
  writeFileSync(file, '');
  return isFound;
}

/** All lines are written. */
export function closeDeliveryLog(dataFolder: string): void {
  rmSync(join(dataFolder, NAME), { force: true });
}
