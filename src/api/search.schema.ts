// One search over everything that a workspace has.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

export const SEARCHED = [
  'message',
  'contact',
  'template',
  'campaign',
  'list',
  'sub_tenant',
  'sender',
  'suppression',
] as const;
export type Searched = (typeof SEARCHED)[number];

export const searchQuery = closed({
  q: Type.String({
    minLength: 2,
    maxLength: 200,
    description: 'An id, an address, or part of an address, a name or a subject.',
    examples: ['ann'],
  }),
  type: Type.Optional(
    Type.Array(oneOf(SEARCHED), {
      minItems: 1,
      maxItems: SEARCHED.length,
      description: 'Only these; several with commas between them.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20, default: 5, description: 'Most results of each type.' }),
  ),
});

const result = Type.Object({
  object: Type.Literal('search_result'),
  type: oneOf(SEARCHED),
  id: Type.String(),
  title: Type.String({ description: 'Its name, address or subject.' }),
  detail: nullable(Type.String({ description: 'What tells it from others: an address, a slug, a domain.' })),
  status: nullable(Type.String()),
  sub_tenant_id: nullable(Type.String()),
  created_at: timestamp,
});
export type SearchResult = Static<typeof result>;

export const searchAnswer = Type.Object({
  object: Type.Literal('search'),
  q: Type.String(),
  data: Type.Array(result, { description: 'By type, the newest first in each.' }),
  more: Type.Array(oneOf(SEARCHED), {
    description: 'Types that may have more than is shown; their lists take the same `q`.',
  }),
});

nameSchemas({ Search: searchAnswer, SearchResult: result });
nameEnums({ SearchResultType: SEARCHED });
