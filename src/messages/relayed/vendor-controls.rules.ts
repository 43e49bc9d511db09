// Names the control fields of other services, which no message carries on.
const PREFIXES = ['x-smtpapi', 'x-pm-', 'x-mailgun-', 'x-mc-', 'x-ses-', 'x-msys-api', 'resend-'];
/**
 * Services add these to mail that they relay, and they have no effect. The X-MC- fields of Mimecast cannot be distinguished from
 * Mailchimp's.
 */
const TRACES = [
  ...['x-mc-unique', 'x-mc-user', 'x-ses-outgoing', 'x-mailgun-sid', 'x-mailgun-batch-id'],
  ...['x-pm-message-id', 'x-pm-message-options', 'x-pm-ip', 'x-pm-rcpt'],
];

/** Returns whether a field, named in lower case, controls another service. */
export function isVendorControl(name: string): boolean {
  return PREFIXES.some((prefix) => name.startsWith(prefix)) && !TRACES.includes(name);
}
