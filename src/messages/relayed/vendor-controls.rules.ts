// Names the control fields of other services, which no message carries on.
const PREFIXES = ['x-smtpapi', 'x-pm-', 'x-mailgun-', 'x-mc-', 'x-ses-', 'x-msys-api', 'resend-'];
/** Services write these on mail that passes through them, and they ask for nothing. The X-MC- of Mimecast and Mailchimp are no others. */
const TRACES = [
  ...['x-mc-unique', 'x-mc-user', 'x-ses-outgoing', 'x-mailgun-sid', 'x-mailgun-batch-id'],
  ...['x-pm-message-id', 'x-pm-message-options', 'x-pm-ip', 'x-pm-rcpt'],
];

/** Returns whether a field, named in lower case, controls another service. */
export function isVendorControl(name: string): boolean {
  return PREFIXES.some((prefix) => name.startsWith(prefix)) && !TRACES.includes(name);
}
