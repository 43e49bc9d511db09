import { expect, it } from 'vitest';
import { clientSite } from '../../../src/lib/rate-limits/client-limits.rules.js';

it.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:23ff::1', '2001:db8:1:2300::/56'],
  ['2001:db8:1:2301:5::1%eth0', '2001:db8:1:2300::/56'],
  ['2001:db8:1:2401::1', '2001:db8:1:2400::/56'],
  ['::1', '0:0:0:0::/56'],
])('an HTTP client is counted by its network: %s is of %s', (ip, site) => {
  expect(clientSite(ip)).toBe(site);
});
