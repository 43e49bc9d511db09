// Checks the public URL, which appears in mail to recipients and is where people sign in.
import { forbiddenAddressReason, isAddress, isPublicName } from '../../lib/addresses/index.js';

/** RFC 2606 names, which a lab with its own DNS may use. */
const LAB = /\.(?:test|example)$/i;

/** Returns a warning for the log. `null` for https, and for names and addresses of private networks. */
export function publicUrlWarning(publicUrl: string): string | null {
  const { protocol, hostname } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isPublic = isAddress(host)
    ? forbiddenAddressReason(host, { allowPrivate: false }) === null
    : isPublicName(host) && !LAB.test(host);
  if (protocol === 'https:' || !isPublic) return null;
  return (
    'MAILKEEL_PUBLIC_URL uses http on a public address, so API keys, passwords and links in mail are sent unencrypted. ' +
    'Serve it over https and update the URL.'
  );
}
