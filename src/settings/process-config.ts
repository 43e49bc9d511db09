// The only code that reads the environment of this process.
import { type LoadedConfig, loadConfig } from './load.js';

/** Loads the settings of this process. Throws ConfigProblems. */
export function loadProcessConfig(roles?: string): LoadedConfig {
  return loadConfig({ env: roles === undefined ? process.env : { ...process.env, MAILKEEL_ROLES: roles } });
}
