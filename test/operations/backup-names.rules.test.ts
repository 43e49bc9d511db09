// Tests that a backup exists once its manifest does, and that surplus backups are removed oldest first.
import { describe, expect, it } from 'vitest';
import {
  backupName,
  manifestText,
  readManifest,
  surplusFiles,
  completeBackups,
  type Manifest,
} from '../../src/operations/backup/backup-names.rules.js';

const AT = Date.parse('2026-03-01T03:00:00Z');
const OWN = '0123456789abcdef';
const name = (day: number, keySetId = OWN): string =>
  backupName(AT + day * 86_400_000, { keySetId, random: 'ab12' });
const filesOf = (day: number, keySetId = OWN): string[] =>
  ['.db', '.keys', '.json'].map((ending) => name(day, keySetId) + ending);

describe('the backup files of a place', () => {
  it('are complete backups if they have a manifest, newest first', () => {
    expect(completeBackups([...filesOf(1), ...filesOf(3), `${name(2)}.db`, 'notes.json'])).toEqual([
      { name: name(3), keySetId: OWN },
      { name: name(1), keySetId: OWN },
    ]);
  });

  it('are removed oldest first, the manifest before the rest, and never other files', () => {
    const files = [...filesOf(0), ...filesOf(1), ...filesOf(2), 'notes.json', `${name(-1)}.db`];
    expect(surplusFiles(files, { keep: 2, keySetId: OWN })).toEqual([
      `${name(0)}.json`,
      `${name(-1)}.db`,
      `${name(0)}.db`,
      `${name(0)}.keys`,
    ]);
  });

  it('are kept while a newer one is written, or if none is complete', () => {
    expect(surplusFiles([...filesOf(1), `${name(2)}.db`], { keep: 1, keySetId: OWN })).toEqual([]);
    expect(surplusFiles([`${name(2)}.db`], { keep: 1, keySetId: OWN })).toEqual([]);
  });

  it('with another set of keys are kept and do not count', () => {
    const other = 'f'.repeat(16);
    const files = [...filesOf(0, other), ...filesOf(1), ...filesOf(2), ...filesOf(3, other)];
    expect(surplusFiles(files, { keep: 1, keySetId: OWN })).toEqual(
      filesOf(1).toSorted((a, b) => Number(b.endsWith('.json')) - Number(a.endsWith('.json'))),
    );
  });
});

describe('a manifest', () => {
  const manifest: Manifest = {
    ...{ name: name(1), version: '0.1.0', createdAt: AT, schema: '0001-baseline', keySetId: 'abcd' },
    database: { file: `${name(1)}.db`, sizeBytes: 5, sha256: 'a'.repeat(64) },
    keys: null,
  };

  it('can be read back', () => {
    expect(readManifest(manifestText(manifest))).toEqual(manifest);
  });

  it.each([
    ['no JSON', 'x'],
    ['another kind', '{"kind":"x"}'],
    ['a path', manifestText({ ...manifest, database: { ...manifest.database, file: '../../etc/passwd' } })],
    [
      "another backup's file",
      manifestText({ ...manifest, database: { ...manifest.database, file: `${name(2)}.db` } }),
    ],
    ['no digest', manifestText({ ...manifest, database: { ...manifest.database, sha256: 'x' } })],
  ])('is refused with %s', (_, text) => {
    expect(readManifest(text)).toBeNull();
  });
});
