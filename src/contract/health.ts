// What the probes answer.
import { Type } from 'typebox';

export const health = Type.Object({ status: Type.Literal('ok') });
export const readiness = Type.Object({ status: Type.Literal('ready') });
