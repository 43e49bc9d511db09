// The version of the command line, which is that of the server that provided it.
import own from '../package.json' with { type: 'json' };

export const CLI_VERSION: string = own.version;
