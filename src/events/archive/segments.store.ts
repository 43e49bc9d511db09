// The archived segments of event chains.
import type { RowOf, TablesOf } from '../../database/columns.js';
import type { Engine } from '../../database/engine/engine.js';
import type { eventSegments } from './archive.tables.js';

type Known = TablesOf<typeof eventSegments>;

export type EventSegment = RowOf<typeof eventSegments>;

export function createSegmentReads(engine: Engine) {
  return {
    /** Returns the segment that starts at a position; null if there is none. */
    async at(firstPosition: number): Promise<EventSegment | null> {
      const query = engine.read
        .$extendTables<Known>()
        .selectFrom('event_segments')
        .selectAll()
        .where('first_position', '=', firstPosition);
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Returns the next segments of all workspaces that start after a position. */
    async after(position: number, limit: number): Promise<EventSegment[]> {
      return engine.read
        .$extendTables<Known>()
        .selectFrom('event_segments')
        .selectAll()
        .where('first_position', '>', position)
        .orderBy('first_position')
        .limit(limit)
        .execute();
    },
  };
}
