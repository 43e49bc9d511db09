export { canonicalAddress, forbiddenAddressReason, isAddress } from './address-range.rules.js';
export { allowedAddressProblem, allowedAddressTest, isWithinAllowed } from './allowed-addresses.rules.js';
export { clientNetwork, sitePrefix } from './client-network.rules.js';
export { toAscii } from './idna.rules.js';
export { isPublicName } from './public-name.rules.js';
