#!/usr/bin/env node
// The command that npm links: it is there before the build is.
try {
  await import('../dist/mailkeel.js');
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write('The CLI has not been built. Run "npm run build" in the Mailkeel folder.\n');
  process.exitCode = 1;
}
