// Wires sequences: the loop that moves enrollments, with their routes.
import type { SequenceContext } from './context.js';
import type { Routes } from '../http/api.js';
import { createResendInDoubt } from '../messages/accept/resend-in-doubt.js';
import { sequenceRoutes } from './sequences.routes.js';
import { Sequences } from './sequences.js';

export function createSequencesModule(context: SequenceContext) {
  const sequences = new Sequences(context);
  const resendInDoubt = createResendInDoubt(context);
  const routes: Routes[] = [
    (api) => sequenceRoutes(api, { ...context, resendInDoubt, notifySequences: () => sequences.ring() }),
  ];
  return { routes, sequences, start: () => sequences.start(), stop: () => sequences.stop() };
}
