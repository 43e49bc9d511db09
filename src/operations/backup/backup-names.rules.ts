// Names of a backup's files, its manifest, and which backups are surplus. The manifest is written last and removed first, so a
// backup is complete if its manifest exists.

/** File name: `backup-<time>-<key set>-<random>` and an extension, such as `backup-20260301T030000Z-0123456789abcdef-4f1c.json`. */
const NAME = /^(backup-\d{8}T\d{6}Z-([0-9a-f]{16})-[0-9a-f]{4})\.(json|db|keys)$/;
const KIND = 'backup';
const FORMAT = 1;
const SHA256 = /^[0-9a-f]{64}$/;

export interface StoredFile {
  file: string;
  sizeBytes: number;
  /** Lower-case hexadecimal. */
  sha256: string;
}

export interface Manifest {
  name: string;
  /** Version of the program that made the backup. */
  version: string;
  /** Epoch ms. */
  createdAt: number;
  /** The last migration of the database. */
  schema: string;
  database: StoredFile;
  /** The key files, sealed with the passphrase. `null` if the backup has no keys. */
  keys: StoredFile | null;
  /** Identifies the set of keys without revealing anything about them. */
  keySetId: string;
}

/**
 * `random` is four hexadecimal digits, which distinguish backups of the same second. Names with the same set of keys sort by
 * time.
 */
export function backupName(at: number, { keySetId, random }: { keySetId: string; random: string }): string {
  return `backup-${compactTime(at)}-${keySetId}-${random}`;
}

/** Epoch ms as part of a file's name, such as `20260301T030000Z`. */
export function compactTime(at: number): string {
  return new Date(at)
    .toISOString()
    .replace(/\.\d{3}/, '')
    .replace(/[-:]/g, '');
}

export const manifestFile = (name: string): string => `${name}.json`;
export const databaseFile = (name: string): string => `${name}.db`;
export const keysFile = (name: string): string => `${name}.keys`;

interface NamedBackup {
  name: string;
  /** Identifies the set of keys. */
  keySetId: string;
}

/** Returns the complete backups among the stored files, newest first. */
export function completeBackups(files: readonly string[]): NamedBackup[] {
  const found = files.flatMap((file) => {
    const [, name, keySetId, ending] = NAME.exec(file) ?? [];
    return name !== undefined && keySetId !== undefined && ending === 'json' ? [{ name, keySetId }] : [];
  });
  return found.toSorted((a, b) => (a.name < b.name ? 1 : -1));
}

/**
 * Returns the files to remove, in order, so that `keep` complete backups of the set of keys remain. Files of other sets of keys,
 * which belong to other installations, are never removed, and neither are files that do not belong to a backup.
 */
export function surplusFiles(
  files: readonly string[],
  { keep, keySetId }: { keep: number; keySetId: string },
): string[] {
  const own = completeBackups(files).filter((backup) => backup.keySetId === keySetId);
  const oldestKept = own.slice(0, keep).at(-1)?.name;
  if (oldestKept === undefined) return [];
  return files
    .filter((file) => {
      const [, name, ofKeys] = NAME.exec(file) ?? [];
      // Without a manifest, the backup may still be in progress, so only files older than the retained backups are surplus.
      return name !== undefined && ofKeys === keySetId && name < oldestKept;
    })
    .toSorted((a, b) => Number(b.endsWith('.json')) - Number(a.endsWith('.json')) || (a < b ? -1 : 1));
}

export function manifestText(manifest: Manifest): string {
  const wire = ({ file, sizeBytes, sha256 }: StoredFile) => ({ file, size_bytes: sizeBytes, sha256 });
  const value = {
    kind: KIND,
    format: FORMAT,
    name: manifest.name,
    version: manifest.version,
    created_at: new Date(manifest.createdAt).toISOString(),
    schema: manifest.schema,
    database: wire(manifest.database),
    keys: manifest.keys && wire(manifest.keys),
    key_set_id: manifest.keySetId,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Returns `null` if the text is not the manifest of a backup. */
export function readManifest(text: string): Manifest | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const fields = fieldsOf(value);
  if (fields['kind'] !== KIND || fields['format'] !== FORMAT) return null;
  const { name, version, created_at: at, schema, key_set_id: keySetId } = fields;
  const texts = [name, version, at, schema, keySetId];
  if (!texts.every((one) => typeof one === 'string')) return null;
  const [shownName, shownVersion, time, shownSchema, shownKeys] = texts as [
    string,
    string,
    string,
    string,
    string,
  ];
  const database = storedFile(fields['database'], shownName);
  const keys = fields['keys'] === null ? null : storedFile(fields['keys'], shownName);
  const createdAt = Date.parse(time);
  if (database === null || (keys === null && fields['keys'] !== null) || Number.isNaN(createdAt)) return null;
  return {
    name: shownName,
    version: shownVersion,
    createdAt,
    schema: shownSchema,
    database,
    keys,
    keySetId: shownKeys,
  };
}

function storedFile(value: unknown, name: string): StoredFile | null {
  const { file, size_bytes: sizeBytes, sha256 } = fieldsOf(value);
  if (typeof file !== 'string' || typeof sizeBytes !== 'number' || typeof sha256 !== 'string') return null;
  // The file name must not lead to another folder.
  if (NAME.exec(file)?.[1] !== name || !SHA256.test(sha256)) return null;
  return { file, sizeBytes, sha256 };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
