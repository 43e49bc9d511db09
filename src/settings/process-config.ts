// The one place that reads the environment of this process.
import { type LoadedConfig, loadConfig } from './load.js';

/** The settings of this process. Throws ConfigProblems. */
export function loadProcessConfig(): LoadedConfig {
  return loadConfig({ env: process.env });
}
