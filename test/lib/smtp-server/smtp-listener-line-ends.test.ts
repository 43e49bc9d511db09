// Tests mail with a bare LF or CR: mended for trusted senders, refused from strangers.
import { afterEach, describe, expect, it } from 'vitest';
import { startListener, type TestListener, type TestListenerOptions } from './listener.js';

let rig: TestListener;
afterEach(() => rig.close());

async function sent(
  text: string,
  options: TestListenerOptions,
): Promise<{ reply: string; kept: string | undefined }> {
  rig = await startListener(options);
  const client = await rig.client();
  await client.reply();
  await client.say('EHLO client.example');
  const reply = await client.send('bob@ours.example', text);
  return { reply, kept: rig.kept[0]?.raw.toString('latin1') };
}

const MENDS = { mendsLineEnds: true };

describe('with line end repair', () => {
  it.each([
    ['Subject: x\n\nhi\n\r\n', 'Subject: x\r\n\r\nhi\r\n\r\n'],
    ['Subject: x\r\r\n\r\r\nhi\r\r\n', 'Subject: x\r\n\r\nhi\r\n'],
    ['Subject: x\r\rhi\r\n', 'Subject: x\r\n\r\nhi\r\n'],
    ['Subject: x\n\n..hidden\n..\r\n', 'Subject: x\r\n\r\n.hidden\r\n.\r\n'],
  ])('%j is stored as %j', async (text, kept) => {
    expect(await sent(text, MENDS)).toEqual({ reply: '250 2.0.0 Kept as 1', kept });
  });

  it.each(['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r.\r\n', '\r\r\n.\r'])(
    '%j ends no message, and the text after it is not a command',
    async (false_end) => {
      const text = `Subject: x\r\n\r\nhi${false_end}MAIL FROM:<eve@ours.example>\r\nRCPT TO:<eve@ours.example>\r\n`;
      const { reply, kept } = await sent(text, MENDS);
      expect(reply).toBe('250 2.0.0 Kept as 1');
      expect(kept).toContain('MAIL FROM:<eve@ours.example>\r\n');
      expect(rig.kept).toHaveLength(1);
    },
  );

  it('NUL is still refused', async () => {
    const { reply, kept } = await sent('Subject: x\n\na\0b\r\n', MENDS);
    expect(reply).toBe('550 5.6.11 Message contains a NUL character');
    expect(kept).toBeUndefined();
  });

  it('a message that is too large with its line ends is refused', async () => {
    const { reply } = await sent(`${'\n'.repeat(600)}\r\n`, { ...MENDS, limits: { sizeLimit: 1_000 } });
    expect(reply).toMatch(/^552 5\.3\.4 /);
  });
});

it('without line end repair such mail is refused', async () => {
  const { reply, kept } = await sent('Subject: x\n\nhi\r\n', {});
  expect(reply).toMatch(/^550 5\.6\.11 /);
  expect(kept).toBeUndefined();
});
