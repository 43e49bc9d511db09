// Prepares the OpenAPI document for clients: answer examples become separate files, which tools fetch on demand.
import type { Described } from './openapi-model.js';

/** Path of the example with this name. */
const pathOf = (name: string): string => `/openapi/examples/${name}.json`;
/** Matches addresses that mean nothing on another machine. */
const LOCAL = /^https?:\/\/(?:localhost|127\.|\[::1\])/;

/** Returns a copy of the document with references in place of examples. */
export function servedDocument(document: Described): Described {
  const { components = {}, servers = [] } = document;
  const names = Object.keys(components.examples ?? {});
  const examples = Object.fromEntries(names.map((name) => [name, { externalValue: pathOf(name) }]));
  return {
    ...document,
    servers: servers.map((server) => (LOCAL.test(server.url) ? { ...server, url: '/' } : server)),
    components: { ...components, examples },
  };
}

/** Returns undefined if there is no example with this name. */
export function exampleNamed({ components }: Described, name: string): unknown {
  const examples = components?.examples ?? {};
  return Object.hasOwn(examples, name) ? examples[name]?.value : undefined;
}
