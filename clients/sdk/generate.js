// Writes src/openapi.ts, the types of every path, and src/schemas.ts, a name for each schema, from docs/openapi.json.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url);
const HEAD = '// Generated from docs/openapi.json by `npm run generate -w @mailkeel/sdk`. Do not edit.\n';
/** src/types.ts and src/errors.ts say these better, or they are names of the language. */
const NOT_NAMED = ['Error', 'ErrorCode', 'ErrorType', 'Environment', 'WebhookEvent'];

/** The files as the document wants them: names and texts. */
export async function generatedFiles() {
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const names = Object.keys(document.components.schemas).filter((name) => !NOT_NAMED.includes(name));
  const aliases = names.map((name) => `export type ${name} = Schemas['${name}'];\n`).join('');
  return {
    // The generator needs a copy: it resolves references in place.
    'openapi.ts': `${HEAD}\n${astToString(await openapiTS(structuredClone(document)))}`,
    'schemas.ts': `${HEAD}import type { components } from './openapi.js';\n\ntype Schemas = components['schemas'];\n\n${aliases}`,
  };
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of Object.entries(await generatedFiles())) {
    writeFileSync(new URL(`src/${name}`, import.meta.url), text);
  }
}
