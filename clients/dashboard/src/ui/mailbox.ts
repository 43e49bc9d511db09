// An address with its name, as mail programs write it.
import type { Message } from '@mailkeel/sdk';

export function mailbox({ email, name }: Message['from']): string {
  return name === null ? email : `${name} <${email}>`;
}
