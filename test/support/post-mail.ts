// Sends one mail to a port by SMTP, as a server or a mail program does, without TLS unless requested.
import SMTPConnection from 'nodemailer/lib/smtp-connection';

export interface Posting {
  port: number;
  from: string;
  to: string | string[];
  raw: string | Buffer;
  /** Signs in with this key as the password, over STARTTLS. */
  key?: string;
  secure?: boolean;
  dsn?: { notify?: string | string[]; ret?: 'FULL' | 'HDRS'; envid?: string; orcpt?: string };
}

export interface Posted {
  /** The reply to the final dot, or the refusal. */
  code: number;
  text: string;
  /** Recipients refused at RCPT, with the reply. */
  refused: { address: string; text: string }[];
}

/** Never rejects because of the server's reply. */
export function postMail({ port, from, to, raw, key, secure = false, dsn }: Posting): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const connection = new SMTPConnection({
      host: '127.0.0.1',
      port,
      secure,
      name: 'client.example',
      ignoreTLS: key === undefined && !secure,
      tls: { rejectUnauthorized: false },
    });
    const fail = (
      error: Error & { responseCode?: number | undefined; response?: string | undefined },
    ): void => {
      connection.close();
      if (error.responseCode === undefined) reject(error);
      else resolve({ code: error.responseCode, text: error.response ?? error.message, refused: [] });
    };
    const send = (): void =>
      connection.send({ from, to, ...(dsn ? { dsn } : {}) }, raw, (error, info) => {
        if (error) {
          fail(error);
          return;
        }
        connection.quit();
        const refused = (info.rejectedErrors ?? []).map((one) => ({
          address: (one as { recipient?: string }).recipient ?? '',
          text: one.response ?? one.message,
        }));
        resolve({ code: Number(info.response.slice(0, 3)), text: info.response, refused });
      });
    connection.once('error', fail);
    connection.connect(() => {
      if (key === undefined) send();
      else {
        connection.login({ credentials: { user: 'key', pass: key } }, (error) =>
          error ? fail(error) : send(),
        );
      }
    });
  });
}
