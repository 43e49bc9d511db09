// Requests HTTP-01 challenges from the listener as an authority does.
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createAcmeChallenges,
  openChallengeListener,
  type AcmeChallenges,
  type ChallengeListener,
} from '../../../src/lib/acme/acme-challenges.js';

const PATH = '/.well-known/acme-challenge/';

let challenges: AcmeChallenges;
let listener: ChallengeListener & { ok: true };
beforeEach(async () => {
  challenges = createAcmeChallenges({ shared: null, clock: Date.now });
  const opened = await openChallengeListener(challenges, { host: '127.0.0.1', port: 0 });
  if (!opened.ok) throw new Error(opened.code);
  listener = opened;
});
afterEach(() => listener.close());

function ask(path: string, method = 'GET'): Promise<{ status: number; type: string; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { host: 'mail.mailkeel.example' };
    const asked = request({ port: listener.port, path, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => (text += piece));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, type: String(answer.headers['content-type']), text }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('the listener for ACME challenges', () => {
  it('answers open challenges, and only while they are open', async () => {
    await challenges.open('tok_en-1', 'tok_en-1.thumb');
    expect(await ask(`${PATH}tok_en-1`)).toEqual({
      status: 200,
      type: 'application/octet-stream',
      text: 'tok_en-1.thumb',
    });
    expect(await ask(`${PATH}tok_en-1`, 'HEAD')).toMatchObject({ status: 200, text: '' });
    await challenges.close('tok_en-1');
    expect((await ask(`${PATH}tok_en-1`)).status).toBe(404);
  });

  it.each([
    ['GET', '/'],
    ['GET', PATH],
    ['GET', `${PATH}other`],
    ['GET', `${PATH}../acme-challenge/token`],
    ['GET', `${PATH}__proto__`],
    ['GET', '/v1/messages'],
    ['POST', `${PATH}token`],
  ])('serves nothing else: %s %s', async (method, path) => {
    await challenges.open('token', 'token.thumb');
    expect((await ask(path, method)).status).toBe(404);
  });

  it.each(['', 'a/b', 'a b', '../x', 'x'.repeat(129)])('accepts no token such as %j', async (token) => {
    await expect(challenges.open(token, 'x')).rejects.toThrow('not base64url');
  });

  it('explains why it cannot listen', async () => {
    const at = { host: '127.0.0.1', port: listener.port };
    expect(await openChallengeListener(challenges, at)).toEqual({ ok: false, code: 'EADDRINUSE' });
  });

  it('closes although a client is connected', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => socket.destroy());
    await listener.close();
    await ended;
  });
});
