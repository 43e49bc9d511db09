export {
  type DataFolder,
  DataFolderError,
  describeDataFolder,
  prepareDataFolder,
  refuseUnfinishedRestore,
  RESTORE_MARKER,
} from './data-folder.js';
export { createDiskGuard, DISK_IS_FULL, type DiskGuard, freeDiskBytes, roomWithSpace } from './disk-space.js';
export { openLineFile } from './line-file.js';
export {
  checkFileName,
  createFolderFiles,
  type FileReads,
  readText,
  type StoredFiles,
  type WholeFiles,
} from './stored-files.js';
export { createFileOnce, hasCode, readIfThere, replaceFile, syncFolder } from './whole-file.js';
