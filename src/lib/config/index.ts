export { nextTime } from './cron-times.rules.js';
export {
  formatBytes,
  formatDuration,
  parseBytes,
  parseDuration,
  parseDurations,
  parseRate,
  parseSchedule,
} from './duration.js';
export { nearest } from './nearest.js';
export { DataProblems, type DataReader, type Fields, readOperatorData } from './operator-data.rules.js';
export { isHostname, type JsonObject, parseSetting, type SettingValue } from './parse.js';
export { count, port, type Setting, time, timeOrNone } from './setting.js';
