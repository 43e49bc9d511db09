// The OpenAPI document as it is served: examples of answers are files of their own, which tools fetch when somebody looks at them.
import type { Described } from './openapi-model.js';

/** Path of the example with this name. */
const pathOf = (name: string): string => `/openapi/examples/${name}.json`;
/** A name that only this machine knows says nothing to whoever reads the document elsewhere. */
const LOCAL = /^https?:\/\/(?:localhost|127\.|\[::1\])/;

/** The document with references in place of examples; `document` is not changed. */
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

/** Undefined where there is none of this name. */
export function exampleNamed({ components }: Described, name: string): unknown {
  const examples = components?.examples ?? {};
  return Object.hasOwn(examples, name) ? examples[name]?.value : undefined;
}
