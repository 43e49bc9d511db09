// `posthorn admin migrate`: brings the database up to date, as every start does.
import type { Config } from '../settings/settings.js';
import { withAppliance } from './open-appliance.js';

/** Names of the steps that ran; empty when there was nothing to do. */
export function adminMigrate(config: Config): Promise<string[]> {
  return withAppliance(config, ({ migrated }) => Promise.resolve(migrated));
}
