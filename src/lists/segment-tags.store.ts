// The tags of a segment's contacts. Nobody joins a segment, so they are counted by reading it, step by step, and answered again
// for as long as no contact and no list of the environment has changed.
import { createTurns } from '../lib/runtime/keyed-mutex.js';
import type { Engine } from '../store/engine/engine.js';
import type { ContactList, ListAudienceStore, TagCount } from './audience.store.js';

const KEPT_SEGMENTS = 200;
const VERSION = 'SELECT version FROM audience_versions WHERE environment_id = ?';

/** Answers for a list with a filter. One count of a segment at a time: whoever asks meanwhile waits for it. */
export function createSegmentTags(
  engine: Engine,
  audiences: Pick<ListAudienceStore, 'audienceTags' | 'segmentKey'>,
): (list: ContactList) => Promise<TagCount[]> {
  const counted = new Map<number, { as: string; tags: TagCount[] }>();
  const inTurn = createTurns();

  /** Read before the contacts are: a change meanwhile makes what is counted hold no longer, and no less. */
  async function versionOf(list: ContactList): Promise<string> {
    const rows = await engine.rows(VERSION, [list.environment_id]);
    return `${Number(rows[0]?.['version'] ?? 0)} ${await audiences.segmentKey(list)}`;
  }

  return (list) =>
    inTurn(String(list.number), async () => {
      const as = await versionOf(list);
      const known = counted.get(list.number);
      if (known?.as === as) return known.tags;
      const tags = await audiences.audienceTags({ list, segmentTag: null });
      counted.delete(list.number);
      counted.set(list.number, { as, tags });
      const oldest = counted.keys().next().value;
      if (counted.size > KEPT_SEGMENTS && oldest !== undefined) counted.delete(oldest);
      return tags;
    });
}
