// Writes the sources of the clients that follow from docs/openapi.json: the types of the SDK and the operations of the command line. `npm ci`
// runs it, and so does each build. Does nothing while the document and the generators are the same as last time.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const DOCUMENT = at('../docs/openapi.json');
const GENERATORS = ['sdk', 'cli'];
const OUTPUTS = { sdk: ['openapi.ts', 'schemas.ts'], cli: ['operations.ts'] };

/** Of the document and of what makes files of it. */
function digest() {
  const hash = createHash('sha256');
  for (const file of [
    DOCUMENT,
    at('generate.js'),
    ...GENERATORS.map((client) => at(`${client}/generate.js`)),
  ]) {
    hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

export async function generateClients() {
  const head = `// Generated from docs/openapi.json (${digest()}) by clients/generate.js. Do not edit.\n`;
  for (const client of GENERATORS) {
    const targets = OUTPUTS[client].map((name) => at(`${client}/src/${name}`));
    if (targets.every((target) => existsSync(target) && readFileSync(target, 'utf8').startsWith(head)))
      continue;
    // Loaded only then: the generator of types takes a second to load.
    const { generate } = await import(`./${client}/generate.js`);
    const texts = await generate(JSON.parse(readFileSync(DOCUMENT, 'utf8')));
    OUTPUTS[client].forEach((name, i) => writeFileSync(targets[i], head + texts[name]));
  }
}

if (process.argv[1] === import.meta.filename) await generateClients();
