// Reads an installation's certificates for commands that change nothing.
import { join } from 'node:path';
import { createFolderFiles, describeDataFolder, type FileReads } from '../../lib/files/index.js';
import { masterKeyIn } from '../../lib/secrets/index.js';
import { sealedCertificates } from '../../operations/files/installation-files.js';
import type { Config } from '../../settings/settings.js';
import { withReadStoreIfThere } from './open-existing.js';

/** With PostgreSQL, reading the certificates needs the master key on this machine; without it, no file is found. */
export function certificateFiles(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'masterKeyFile'>,
): FileReads {
  if (config.databaseUrl === null) return createFolderFiles(join(config.dataDir, 'tls'));
  const read = (name: string): Promise<Uint8Array | null> =>
    withReadStoreIfThere(config, async (store) => {
      const { keysFolder } = await describeDataFolder(config.dataDir);
      const masterKey = await masterKeyIn(keysFolder, config.masterKeyFile);
      return masterKey === null ? null : sealedCertificates(store.files, masterKey).read(name);
    });
  return { read };
}
