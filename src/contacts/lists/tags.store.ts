// The tags of a list's subscribed members, kept in step with them as they come, go and change: a list of a million answers
// at once, and is never behind. Within one group commit each count is written once.
import type { Tx } from '../../database/engine/engine.js';
import type { Part } from '../../database/parts.js';

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

/** Counters of one transaction, each written once. */
export const listTags: Part<TagsOfPlan> = { order: 2, open: (tx) => openTags(tx) };

class TagsOfPlan {
  readonly changes: TagChange[] = [];
  readonly touched: number[] = [];

  add(change: TagChange): void {
    this.changes.push(change);
  }

  /** Something of the environment's contacts or lists changes: what was counted of its segments holds no longer. */
  touch(environmentId: number): void {
    this.touched.push(environmentId);
  }
}

function openTags(tx: Tx) {
  const kept = new Map<number, Map<string, number>>();
  const touched = new Set<number>();

  function count({ listNumber, tags, by }: TagChange): void {
    const counts = kept.get(listNumber) ?? new Map<string, number>();
    kept.set(listNumber, counts);
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + by);
  }

  return {
    forPlan: () => new TagsOfPlan(),
    keep(plan: TagsOfPlan) {
      for (const change of plan.changes) count(change);
      for (const environmentId of plan.touched) touched.add(environmentId);
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
