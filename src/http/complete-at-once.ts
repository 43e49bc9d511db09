// Declares many routes in a fraction of the time.
import type { Api } from './api.js';

/**
 * Declares routes on `app`, each completed at once. By itself fastify completes each of them in a plugin of its own that is loaded
 * after those before, which takes longer than all else that a route needs. What a route is completed with, the error handler above all,
 * must be set before; plugins that `declare` registers are loaded as always.
 */
export function completeAtOnce(app: Api, declare: () => void): void {
  const usual = Object.getOwnPropertyDescriptor(app, 'after');
  const complete = (completion: (error: null, done: () => void) => void): Api => {
    completion(null, () => undefined);
    return app;
  };
  app.after = complete as Api['after']; // with the arguments that fastify's routes give it
  try {
    declare();
  } finally {
    // A scope has it from the instance that it is in.
    if (usual === undefined) Reflect.deleteProperty(app, 'after');
    else Object.defineProperty(app, 'after', usual);
  }
}
