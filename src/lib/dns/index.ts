export { askDnsServer } from './dns-exchange.js';
export { createNameServer, type NameServer, type NameServerListening } from './name-server.js';
export { createResolver, type DnsResolver, type LookUpOptions } from './resolver.js';
export { reverseName } from './reverse-name.js';
export { systemDnsServers } from './servers.js';
export {
  createValidatingResolver,
  type SecureAnswer,
  type ValidatingResolver,
} from './validating-resolver.js';
