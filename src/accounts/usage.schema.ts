// What is used of a plan: sends of this day and of this month, all together and by type. And what each API key brought.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { orderedQueryWith } from '../contract/lists.js';
import { KEY_PERMISSIONS, MESSAGE_TYPES, MODES } from '../contract/names.js';
import { nameSchemas, nullable, oneOf, timestamp, timestampWith } from '../contract/schema.js';

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

export const keyUsage = Type.Object(
  {
    object: Type.Literal('api_key_usage'),
    api_key_id: Type.String(),
    name: Type.String(),
    permission: oneOf(KEY_PERMISSIONS),
    mode: oneOf(MODES),
    sub_tenant_id: nullable(Type.String()),
    last_used_at: nullable(
      timestampWith({
        description: 'To the minute, of any request; null when it was never used.',
      }),
    ),
    messages: Type.Integer({ description: 'Of all the days that were asked for.' }),
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'A day, UTC.' }),
        messages: Type.Integer(),
      }),
      { description: 'The oldest first; days without a message are left out.' },
    ),
  },
  {
    description:
      'Messages that requests with a key and mail that was relayed with it brought, one for each recipient, each counted when it is ' +
      'accepted, in the sandbox too. Campaigns and sequences are nobody’s.',
  },
);

export const keyUsageQuery = orderedQueryWith({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 30,
      description: 'How many days, this one included.',
    }),
  ),
});

nameSchemas({
  ApiKeyUsage: keyUsage,
  ApiKeyUsageDay: keyUsage.properties.days.items,
  Usage: usage,
  UsagePeriod: period,
  UsageOfType: period.properties.types.items,
});
