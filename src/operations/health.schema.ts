// What the probes answer.
import { Type } from 'typebox';
import { nameSchemas } from '../contract/schema.js';

export const health = Type.Object({ status: Type.Literal('ok') });
export const readiness = Type.Object({
  status: Type.Literal('ready'),
  warnings: Type.Array(Type.String(), {
    description: 'What needs a person, although work is taken. Empty when nothing does.',
  }),
});

nameSchemas({
  Health: health,
  Readiness: readiness,
});
