// Tag counts of a list's subscribed members. They are updated with every change, so that reading them is fast and exact. A group
// commit writes each count once.
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
  /** 1 for a new member with the tags, -1 for a removed one. */
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

  /** Invalidates the counts of the environment's segments, because a contact or list changes. */
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
    // A fixed order prevents deadlocks between nodes that update the same tags.
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
