// The version of the command line, which is that of the appliance that it came with.
import own from '../package.json' with { type: 'json' };

export const CLI_VERSION: string = own.version;
