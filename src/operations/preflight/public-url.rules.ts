// Checks the public URL, which is written in mail to recipients and is where people sign in.
import { forbiddenAddressReason, isAddress, isPublicName } from '../../lib/addresses/index.js';

/** RFC 2606: a lab with a DNS of its own. */
const LAB = /\.(?:test|example)$/i;

/** A sentence for the log; null for https, and for a name or an address that only one's own network has. */
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
