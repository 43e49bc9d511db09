// What is used of a plan: sends of this day and of this month, all together and by type.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { MESSAGE_TYPES } from './names.js';
import { nameSchemas, nullable, oneOf, timestamp } from './schema.js';

const count = Type.Integer({ minimum: 0 });
const share = {
  used: count,
  limit: nullable(count),
  remaining: nullable(Type.Integer({ minimum: 0, description: 'Null without a limit.' })),
};

const period = Type.Object({
  starts_at: timestamp,
  resets_at: timestamp,
  ...share,
  workspace_used: Type.Integer({ minimum: 0, description: 'What of it this workspace has sent.' }),
  types: Type.Array(Type.Object({ type: oneOf(MESSAGE_TYPES), ...share }), {
    description: 'A type may have a limit of its own, within that of all.',
  }),
});

export const usage = Type.Object(
  {
    object: Type.Literal('usage'),
    plan: Type.String(),
    day: period,
    month: period,
  },
  {
    description:
      'Live messages of the organization, all its workspaces together, each counted once when it is ' +
      'accepted and given back when it never left. Days and months are UTC. The sandbox is not counted.',
  },
);
export type UsageWire = Static<typeof usage>;

nameSchemas({
  Usage: usage,
  UsagePeriod: period,
  UsageOfType: period.properties.types.items,
});
