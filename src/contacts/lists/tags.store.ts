// The tags of a list's subscribed members, kept in step with them as they come, go and change: a list of a million answers
// at once, and is never behind. Within one group commit each count is written once.
import type { Tx } from '../../store/engine/engine.js';

const ADD = `INSERT INTO list_tags (list_number, tag, contacts) VALUES (?, ?, ?)
  ON CONFLICT (list_number, tag) DO UPDATE SET contacts = list_tags.contacts + excluded.contacts`;
const FORGET_UNUSED = 'DELETE FROM list_tags WHERE list_number = ? AND tag = ? AND contacts <= 0';
const TOUCH = `INSERT INTO audience_versions (environment_id, version) VALUES (?, 1)
  ON CONFLICT (environment_id) DO UPDATE SET version = audience_versions.version + 1`;

interface TagChange {
  listNumber: number;
  tags: Iterable<string>;
  /** Members who carry them: 1, or -1 for one less. */
  by: 1 | -1;
}

export interface ListTagCounter {
  add(change: TagChange): void;
  /** Something of the environment's contacts or lists changes: what was counted of its segments holds no longer. */
  touch(environmentId: number): void;
  /** The plan succeeded; what it counted stays. */
  keep(): void;
}

/** Counters of one transaction. */
export function createListTagCounter(tx: Tx): { counter(): ListTagCounter; save(): Promise<void> } {
  const kept = new Map<number, Map<string, number>>();
  const touched = new Set<number>();

  function count({ listNumber, tags, by }: TagChange): void {
    const counts = kept.get(listNumber) ?? new Map<string, number>();
    kept.set(listNumber, counts);
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + by);
  }

  return {
    counter() {
      const changes: TagChange[] = [];
      const environments: number[] = [];
      return {
        add: (change) => void changes.push(change),
        touch: (environmentId) => void environments.push(environmentId),
        keep() {
          for (const change of changes) count(change);
          for (const environmentId of environments) touched.add(environmentId);
        },
      };
    },
    // In one order, so that two nodes that count the same tags wait for each other in a line and not in a circle.
    async save() {
      for (const [listNumber, counts] of [...kept].toSorted(([one], [other]) => one - other)) {
        for (const [tag, by] of [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
          if (by === 0) continue;
          await tx.run(ADD, [listNumber, tag, by]);
          if (by < 0) await tx.run(FORGET_UNUSED, [listNumber, tag]);
        }
      }
      for (const environmentId of [...touched].toSorted((one, other) => one - other)) {
        await tx.run(TOUCH, [environmentId]);
      }
    },
  };
}
