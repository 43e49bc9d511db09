// Makes src/openapi.ts, the types of every path, and src/schemas.ts, a name for each schema, from the OpenAPI document.
import openapiTS, { astToString } from 'openapi-typescript';

/** src/types.ts and src/errors.ts say these better, or they are names of the language. */
const NOT_NAMED = ['Error', 'ErrorCode', 'ErrorType', 'Environment', 'WebhookEvent'];

/** Texts of the files by their names. */
export async function generate(document) {
  const names = Object.keys(document.components.schemas).filter((name) => !NOT_NAMED.includes(name));
  const aliases = names.map((name) => `export type ${name} = Schemas['${name}'];\n`).join('');
  return {
    // The generator needs a copy: it resolves references in place.
    'openapi.ts': `\n${astToString(await openapiTS(structuredClone(document)))}`,
    'schemas.ts': `import type { components } from './openapi.js';\n\ntype Schemas = components['schemas'];\n\n${aliases}`,
  };
}
