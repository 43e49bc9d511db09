// A mail reader that is not Mailkeel's: Python's email package, in one process for many mails.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { DecodedMail } from './preview-equals-send.js';

const READER = `
import base64, email, json, sys
from email.header import decode_header, make_header
for line in sys.stdin:
    message = email.message_from_bytes(base64.b64decode(line))
    found = {'subject': str(make_header(decode_header(message['Subject'].replace('\\r\\n', '').replace('\\n', '')))),
             'html': None, 'text': None}
    for part in message.walk():
        name = {'text/html': 'html', 'text/plain': 'text'}.get(part.get_content_type())
        if name:
            found[name] = part.get_payload(decode=True).decode('utf-8').replace('\\r\\n', '\\n')
    print(json.dumps(found), flush=True)
`;

export interface PythonReader {
  decode: (raw: Buffer) => Promise<DecodedMail>;
  close: () => void;
}

export function startPythonReader(): PythonReader {
  const child = spawn('/usr/bin/python3', ['-c', READER], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: { resolve: (mail: DecodedMail) => void; reject: (error: Error) => void }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    waiting.shift()?.resolve(JSON.parse(line) as DecodedMail);
  });
  child.on('close', (code) => {
    for (const { reject } of waiting) reject(new Error(`python3 ended with ${String(code)}`));
  });
  return {
    decode: (raw) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin.write(`${raw.toString('base64')}\n`);
      }),
    close: () => child.stdin.end(),
  };
}
