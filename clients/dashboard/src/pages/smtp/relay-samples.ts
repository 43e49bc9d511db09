// Settings of common programs for the relay.
import type { SystemRelay } from '@mailkeel/sdk';

const KEY = '$MAILKEEL_API_KEY';
const STARTTLS_PORT = 587;

export function relaySamples({
  host: named,
  port,
  tls_port: tlsPort,
}: SystemRelay): { name: string; code: string }[] {
  // A new server has no public name and a self-signed certificate, which programs refuse.
  const isNew = !named.includes('.');
  const host = isNew ? window.location.hostname : named;
  const isTls = port === null && tlsPort !== null;
  const at = port ?? tlsPort ?? STARTTLS_PORT;
  return [
    {
      name: 'swaks',
      code: `swaks --server ${host}:${at} ${isTls ? '--tlsc' : '--tls'} --auth PLAIN --auth-user mailkeel --auth-password "${KEY}" \\\n  --from me@example.com --to delivered@sandbox.example --header 'Subject: Hello'`,
    },
    {
      name: 'Nodemailer',
      code: `const transport = nodemailer.createTransport({\n  host: '${host}',\n  port: ${at},\n  secure: ${isTls},\n  requireTLS: true,\n${isNew ? '  tls: { rejectUnauthorized: false }, // until the server has a certificate\n' : ''}  auth: { user: 'mailkeel', pass: process.env.MAILKEEL_API_KEY },\n});`,
    },
    {
      name: 'Django',
      code: `EMAIL_HOST = "${host}"\nEMAIL_PORT = ${at}\n${isTls ? 'EMAIL_USE_SSL' : 'EMAIL_USE_TLS'} = True\nEMAIL_HOST_USER = "mailkeel"\nEMAIL_HOST_PASSWORD = os.environ["MAILKEEL_API_KEY"]${isNew ? '\n# Until the server has a certificate, start Django with SSL_CERT_FILE=DATA/tls/self-signed.pem of the server' : ''}`,
    },
    {
      name: 'Postfix',
      code: `# main.cf\nrelayhost = [${host}]:${at}\nsmtp_tls_security_level = encrypt\n${isTls ? 'smtp_tls_wrappermode = yes\n' : ''}smtp_sasl_auth_enable = yes\nsmtp_sasl_security_options = noanonymous\nsmtp_sasl_password_maps = hash:/etc/postfix/sasl\n# /etc/postfix/sasl\n[${host}]:${at} mailkeel:${KEY}`,
    },
  ];
}
