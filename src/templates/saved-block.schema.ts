// Wire shapes of /v1/saved-blocks.
import { Type } from 'typebox';
import { orderedQueryWith, partOf } from '../contract/lists.js';
import { closed, nameSchemas, nullable, timestamp } from '../contract/schema.js';

/** Limits the JSON of a block. */
export const MAX_BLOCK_CHARACTERS = 65_536;

const name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const block = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'A block of a template design, up to 65,536 characters of JSON. The server stores it unchanged.',
});

export const savedBlockCreate = closed(
  { name, block, sub_tenant_id: Type.Optional(nullable(Type.String())) },
  {
    examples: [
      { name: 'Legal footer', block: { id: '1', type: 'footer', text: 'Example Ltd, 1 High Street' } },
    ],
  },
);

export const savedBlockUpdate = closed({ name }, { examples: [{ name: 'Footer' }] });

export const savedBlockQuery = orderedQueryWith({
  q: partOf('the name'),
  sub_tenant_id: Type.Optional(
    Type.String({ maxLength: 300, description: 'Also return the blocks of this sub-tenant.' }),
  ),
});

export const savedBlock = Type.Object({
  id: Type.String(),
  object: Type.Literal('saved_block'),
  name: Type.String(),
  block,
  sub_tenant_id: nullable(Type.String()),
  created_at: timestamp,
  updated_at: timestamp,
});

nameSchemas({
  SavedBlock: savedBlock,
  SavedBlockCreate: savedBlockCreate,
  SavedBlockUpdate: savedBlockUpdate,
});
