// Checks the release of Node. On Linux, npm installs the required one with the other packages
// (docs/adr/0118-node-is-a-dependency.md).

/** The first release with every feature in use. `engines` of package.json names the same. */
const LEAST_MAJOR = 24;

/** Returns a sentence that says what to do if this release of Node is too old; otherwise `null`. */
export function nodeProblem(version: string): string | null {
  if (Number.parseInt(version, 10) >= LEAST_MAJOR) return null;
  return `Node ${version} is not supported. Mailkeel requires Node ${LEAST_MAJOR} or newer. On Linux, npm ci installs it: use npm start, or run node_modules/.bin/node instead of node. On other systems, install it from nodejs.org.`;
}

/** Ends the process with that sentence. Call it before loading anything that an older release cannot load. */
export function requireNode(): void {
  const problem = nodeProblem(process.versions.node);
  if (problem === null) return;
  process.stderr.write(`mailkeel: ${problem}\n`);
  process.exit(1);
}
