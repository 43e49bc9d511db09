// The release of Node that the program needs. On Linux npm installs it with the other packages (docs/adr/0118-node-is-a-dependency.md).

/** The first release with everything that the program uses. package.json names the same in `engines`. */
const LEAST_MAJOR = 24;

/** Throws an error that says what to do on a release of Node that is too old. */
export function requireNode(version = process.versions.node): void {
  if (Number.parseInt(version, 10) >= LEAST_MAJOR) return;
  throw new Error(
    `Node ${version} is too old; Posthorn needs Node ${LEAST_MAJOR} or newer. On Linux, npm ci installs it: use npm start, or ` +
      'node_modules/.bin/node instead of node. Elsewhere, install it from nodejs.org.',
  );
}
