// Names the control fields of other services, which no message carries on.
const PREFIXES = ['x-smtpapi', 'x-pm-', 'x-mailgun-', 'x-mc-', 'x-ses-', 'x-msys-api', 'resend-'];
/** Fields that services add to mail that they relay. They control nothing, including the X-MC- fields of Mimecast and Mailchimp. */
const TRACES = [
  ...['x-mc-unique', 'x-mc-user', 'x-ses-outgoing', 'x-mailgun-sid', 'x-mailgun-batch-id'],
  ...['x-pm-message-id', 'x-pm-message-options', 'x-pm-ip', 'x-pm-rcpt'],
];

/** Returns whether a field, named in lower case, controls another service. */
export function isVendorControl(name: string): boolean {
  return PREFIXES.some((prefix) => name.startsWith(prefix)) && !TRACES.includes(name);
}
