// Tests cases without a mail in the corpus (reply-corpus.test.ts): single rules, text that must not be cut, hostile input.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceHtml } from '../../src/inbound/replies/quoted-html.rules.js';
import { readAttributes, decodeReferences, scanHtml } from '../../src/lib/html/index.js';
import { splitReply, type SplitReply } from '../../src/inbound/replies/quoted-reply.rules.js';
import { shippedReplyRules } from '../support/reply-rules.js';
import { firstOf, runs } from '../support/run-size.js';

const rules = shippedReplyRules();
const ofText = (text: string, subject = 'Re: x'): SplitReply =>
  splitReply({ text, html: null, subject }, rules);
const ofHtml = (html: string, subject = 'Re: x'): SplitReply =>
  splitReply({ text: null, html, subject }, rules);

describe('the lines above a quote', () => {
  it.each([
    'On Mon, Nov 16, 2026 at 10:15 AM Ann <a@x.example> wrote:',
    'On Nov 16, 2026, at 10:15, Ann <a@x.example> wrote:',
    'In a message dated 11/16/2026 10:15:00 AM Eastern Standard Time, a@x.example writes:',
    'At 2026-11-16 10:15:00, "Ann" <a@x.example> wrote:',
    'Am Montag, den 16.11.2026, 10:15 +0100 schrieb Ann:',
    'Am 16.11.26 um 10:15 hat Ann <a@x.example> geschrieben:',
    'Le 16/11/2026 à 10:15, Ann a écrit :',
    'El lun, 16 nov 2026 a las 10:15, Ann (<a@x.example>) escribió:',
    'Il giorno lun 16 nov 2026 alle ore 10:15 Ann <a@x.example> ha scritto:',
    'Em seg., 16 de nov. de 2026 às 10:15, Ann <a@x.example> escreveu:',
    'Ann <a@x.example> escreveu (segunda, 16/11/2026 à(s) 10:15):',
    'Op ma 16 nov 2026 om 10:15 schreef Ann <a@x.example>:',
    'pon., 16 lis 2026 o 10:15 Ann <a@x.example> napisał(a):',
    'Wiadomość napisana przez Ann <a@x.example> w dniu 16 lis 2026, o godz. 10:15:',
    'Den mån 16 nov. 2026 kl 10:15 skrev Ann <a@x.example>:',
    'Den 16.11.2026 kl. 10.15 skrev Ann:',
    'man. 16. nov. 2026 kl. 10:15 skrev Ann <a@x.example>:',
    'po 16. 11. 2026 v 10:15 odesílatel Ann <a@x.example> napsal:',
    '16.11.2026 10:15, Ann пишет:',
    '16 нояб. 2026 г., в 10:15, Ann <a@x.example> написал(а):',
    '2026/11/16 10:15、Ann <a@x.example>のメール:',
    '在 2026年11月16日，10:15，Ann <a@x.example> 写道：',
    'Ann <a@x.example> 於 2026年11月16日 週一 上午10:15寫道：',
    'ma 16. marrask. 2026 klo 10.15 Ann (a@x.example) kirjoitti:',
    'Zitat von Ann <a@x.example>:',
    '* Ann <a@x.example> [2026-11-16 10:15]:',
    'Kdosi (16. 11. 2026 v 10:15) Ann <a@x.example>:',
  ])('are part of it: %s', (line) => {
    expect(ofText(`Yes.\n\n${line}\n> Will you come?\n`)).toEqual({
      visibleText: 'Yes.',
      quotedText: `${line}\n> Will you come?`,
      signature: null,
      visibleHtml: null,
    });
  });

  it.each([
    'On Mon, Nov 16, 2026 at 10:15 AM Ann <a@x.example> wrote',
    'On Mon, Nov 16, 2026 at 10:15 AM Ann wrote',
    'On Mon, Nov 16, 2026 at 10:15 AM\nAnn <a@x.example> wrote',
    'Am 16.11.26 um 10:15 schrieb Ann',
    'Le 16/11/2026 à 10:15, Ann a écrit',
    'Ann <a@x.example> wrote',
    'Ann <a@x.example>, 16.11.2026 10:15',
  ])('may lack their colon: %s', (lines) => {
    const split = { visibleText: 'Yes.', quotedText: `${lines}\n> Will you come?` };
    expect(ofText(`Yes.\n\n${lines}\n> Will you come?\n`)).toMatchObject(split);
    expect(ofText(`Yes.\n\n${lines}\n\n> Will you come?\n`).visibleText).toBe('Yes.');
  });

  it('may lack their colon above unmarked text, with date, time and address', () => {
    const line = 'On Mon, Nov 16, 2026 at 10:15 AM Ann <a@x.example> wrote';
    expect(ofText(`Yes.\n\n${line}\n\nWill you come?\n`).visibleText).toBe('Yes.');
    expect(
      ofHtml(`<p>Yes.</p><p>${line.replace('<', '&lt;')}</p><blockquote>Come?</blockquote>`),
    ).toMatchObject({
      visibleText: 'Yes.',
    });
  });

  it.each([
    'I disagree with this',
    'As Ann wrote',
    'At 10:15 I read this',
    'My answer is below',
    'See you on 16.11.2026',
  ])('are not any sentence above a quote: %s', (line) => {
    expect(ofText(`Yes.\n${line}\n> Will you come?\n`).visibleText).toBe(`Yes.\n${line}`);
  });

  it.each([
    'On Mon, Nov 16, 2026 at 10:15 AM\nAnn <a@x.example> wrote:',
    'Am Mo., 16. Nov. 2026 um 10:15 Uhr schrieb Ann Smith <\na@x.example>:',
    'El lun, 16 nov 2026 a las 10:15,\nAnn Smith\n(<a@x.example>) escribió:',
  ])('may be split into several: %s', (lines) => {
    expect(ofText(`Thanks!\n${lines}\n> Will you come?\n`).visibleText).toBe('Thanks!');
    expect(ofText(`Thanks!\n\n${lines}\n\nWill you come?\n`).visibleText).toBe('Thanks!');
  });

  it("don't include the words right above them", () => {
    const { visibleText } = ofText(
      'On the other hand, yes.\nOn Mon, Nov 16, 2026 at 10:15, Ann wrote:\n> Come?',
    );
    expect(visibleText).toBe('On the other hand, yes.');
  });

  it.each([
    ['German', 'Von: Ann\nGesendet: Montag, 16. November 2026\nAn: Bob\nBetreff: x'],
    ['French', 'De : Ann\nEnvoyé : lundi 16 novembre 2026\nÀ : Bob\nObjet : x'],
    ['Spanish', 'De: Ann\nEnviado el: lunes, 16 de noviembre\nPara: Bob\nAsunto: x'],
    ['Italian', 'Da: Ann\nInviato: lunedì 16 novembre 2026\nA: Bob\nOggetto: x'],
    ['Portuguese', 'De: Ann\nEnviada em: segunda-feira, 16 de novembro\nPara: Bob\nAssunto: x'],
    ['Dutch', 'Van: Ann\nVerzonden: maandag 16 november 2026\nAan: Bob\nOnderwerp: x'],
    ['Polish', 'Od: Ann\nWysłano: poniedziałek, 16 listopada\nDo: Bob\nTemat: x'],
    ['Swedish', 'Från: Ann\nSkickat: den 16 november 2026\nTill: Bob\nÄmne: x'],
    ['Danish', 'Fra: Ann\nSendt: 16. november 2026\nTil: Bob\nEmne: x'],
    ['Czech', 'Od: Ann\nOdesláno: pondělí 16. listopadu\nKomu: Bob\nPředmět: x'],
    ['Russian', 'От: Ann\nОтправлено: 16 ноября 2026\nКому: Bob\nТема: x'],
    ['Japanese', '差出人: Ann\n送信日時: 2026年11月16日\n宛先: Bob\n件名: x'],
    ['Chinese', '发件人: Ann\n发送时间: 2026年11月16日\n收件人: Bob\n主题: x'],
    ['bold', '*From:* Ann\n*Sent:* Monday\n*To:* Bob\n*Subject:* x'],
    ['spaced', 'From: Ann\n\nSent: Monday\n\nTo: Bob\n\nSubject: x'],
    ['folded', 'From: Ann\nTo: Bob,\n  Carl,\n  Dora\nSubject: x'],
  ])('are a header block: %s', (_, block) => {
    const split = ofText(`Yes.\n\n${block}\n\nWill you come?\n`);
    expect(split.visibleText).toBe('Yes.');
    expect(split.quotedText).toBe(`${block}\n\nWill you come?`);
  });

  it('are recognized by the line of an element in an unlisted language', () => {
    const block = 'Qof: Ann &lt;a@x.example&gt;<br>Xkw: 16 abc 2026 10:15<br>Zzz: b@x.example<br>Ppp: x';
    const html = `<p>Yes.</p><div style="border:none;border-top:solid #E1E1E1 1.0pt">${block}</div><p>Come?</p>`;
    expect(ofHtml(html).visibleText).toBe('Yes.');
    expect(ofHtml(html.replace('border-top', 'x')).quotedText).toBeNull();
  });

  it.each([
    'On Monday he wrote:\n\nthat it is late.',
    'My colleague bob@x.example wrote:\n\nplease cancel.',
    'From: Berlin\nTo: Paris\n\nHow long does it take?',
    'Subject: verb\nObject: noun\n\nIs that right?',
    'Prices:\n10:15 one\n2026 two',
    'Original message\n\nwas too long.',
    'Two rows:\n--------------------\nof dashes.',
    '>From now on I write so.',
  ])('are not lines such as %s', (text) => {
    expect(ofText(text)).toMatchObject({ visibleText: text, quotedText: null, signature: null });
  });
});

describe('alternating replies and quotes', () => {
  const header = 'On 16.11.26 10:15, Ann wrote:';
  it.each([
    ['below the quote', `${header}\n> a\n> b\n\nYes.`, 'Yes.', `${header}\n> a\n> b`],
    ['below a quote without a header', '> a\n\nYes.', 'Yes.', '> a'],
    ['between the quotes', `${header}\n> a\n\nYes.\n\n> b\n`, `${header}\n> a\n\nYes.`, '> b'],
    ['above and below', `Hi,\n\n${header}\n> a\n\nYes.`, `Hi,\n\n${header}\n> a\n\nYes.`, null],
    ['above, of several levels', `Yes.\n\n${header}\n>> a\n> b`, 'Yes.', `${header}\n>> a\n> b`],
    ['above a header whose quote was left out', `Yes.\n\n${header}\n`, 'Yes.', header],
  ])('%s', (_, text, visible, quoted) => {
    expect(ofText(text)).toMatchObject({ visibleText: visible, quotedText: quoted });
  });

  it('are all visible if nothing else is', () => {
    expect(ofText('> a\n> b')).toMatchObject({ visibleText: '> a\n> b', quotedText: null });
    expect(ofText('-----Original Message-----\nFrom: a\nTo: b\nSubject: c')).toMatchObject({
      quotedText: null,
    });
    expect(ofText('-- \nAnn')).toMatchObject({ visibleText: '-- \nAnn', signature: null });
  });

  it('are empty for an empty mail', () => {
    const nothing = { visibleText: '', quotedText: null, signature: null, visibleHtml: null };
    expect(splitReply({ text: null, html: null }, rules)).toEqual(nothing);
    expect(splitReply({ text: ' \n', html: '  ' }, rules)).toEqual(nothing);
  });

  it('keep forwarded messages, by mark or by subject', () => {
    const block = 'From: Ann\nSent: Monday\nTo: Bob\nSubject: x\n\nthe message';
    expect(ofText(`See below.\n\n${block}`, 'FW: x').quotedText).toBeNull();
    expect(ofText(`See below.\n\n${block}`, 'RE: FW: x').quotedText).toBe(block);
    const marked = '-------- Weitergeleitete Nachricht --------\nBetreff: x\nVon: Ann\n\ndie Nachricht';
    expect(ofText(`Siehe unten.\n\n${marked}`).visibleText).toBe(`Siehe unten.\n\n${marked}`);
    // Below a quote it is a part of the quote.
    expect(ofText(`Yes.\n\n${header}\n> a\n> ---- Forwarded message ----\n> b`).visibleText).toBe('Yes.');
  });
});

describe('the signature', () => {
  it.each([
    ['RFC 3676', 'Yes.\n\n-- \nAnn\nExample Ltd', 'Yes.', 'Ann\nExample Ltd'],
    ['without its blank', 'Yes.\n--\nAnn', 'Yes.', 'Ann'],
    ['of a phone', 'Yes.\n\nSent from my iPhone', 'Yes.', 'Sent from my iPhone'],
    ['of a phone, right below', 'Yes.\nGesendet von meinem Telefon', 'Yes.', 'Gesendet von meinem Telefon'],
    [
      'of a program',
      'Yes.\n\nGet Outlook for Android<https://aka.ms/x>',
      'Yes.',
      'Get Outlook for Android<https://aka.ms/x>',
    ],
    [
      'of a scanner',
      'Yes.\n\n-- \nAnn\n\nVirus-free.www.avast.example',
      'Yes.',
      'Ann\n\nVirus-free.www.avast.example',
    ],
    [
      'of a list',
      `Yes.\n${'_'.repeat(47)}\nfriends mailing list\nfriends@lists.example\nhttps://lists.example/`,
      'Yes.',
      `${'_'.repeat(47)}\nfriends mailing list\nfriends@lists.example\nhttps://lists.example/`,
    ],
    ['below the quote', 'Yes.\n\n> a\n\n-- \nAnn', 'Yes.', 'Ann'],
    ['above the quote', 'Yes.\n\n-- \nAnn\n\n> a', 'Yes.', 'Ann'],
    ['of a polite person', 'Yes.\n\nBest regards\nAnn', 'Yes.\n\nBest regards\nAnn', null],
    ['and what is none', `One\n--\n${'long '.repeat(30)}`, `One\n--\n${'long '.repeat(30)}`.trimEnd(), null],
    [
      'and a parcel',
      'I have it.\nSent from my heart:\n\nplease hurry.',
      'I have it.\nSent from my heart:\n\nplease hurry.',
      null,
    ],
  ])('%s', (_, text, visible, signature) => {
    expect(ofText(text)).toMatchObject({ visibleText: visible, signature });
  });

  it('is removed from the text if only the HTML reveals it', () => {
    const html = '<div>Yes.</div><div id="Signature"><p>Ann <b>Berg</b></p><p>Example Ltd</p></div>';
    const split = splitReply({ text: 'Yes.\n\nAnn Berg\n\nExample Ltd\n', html }, rules);
    expect(split).toMatchObject({ visibleText: 'Yes.', signature: 'Ann Berg\n\nExample Ltd' });
    const other = splitReply({ text: 'Yes.\n\nAnn Berg\n', html }, rules);
    expect(other).toMatchObject({ visibleText: 'Yes.\n\nAnn Berg', signature: null });
  });
});

describe('HTML', () => {
  it('ends where the quote begins, and is well formed', () => {
    const { visibleHtml } = ofHtml(
      '<html><head><style>p{}</style></head><body class=a><div><p>Yes.<blockquote type=cite><p>Come?</blockquote></div></body></html>',
    );
    expect(visibleHtml).toBe(
      '<html><head><style>p{}</style></head><body class=a><div><p>Yes.</p></div></body></html>',
    );
  });

  it('keeps a reply below the quote, with the elements around it', () => {
    const { visibleHtml, visibleText } = ofHtml(
      '<div class=out><blockquote type="cite">Come?</blockquote><ul><li>Yes.</li></ul></div>',
    );
    expect(visibleHtml).toBe('<div class=out><ul><li>Yes.</li></ul></div>');
    expect(visibleText).toBe('- Yes.');
  });

  it('reveals the quote if the text part does not', () => {
    const html =
      '<div>Yes.</div><div class="gmail_attr">Ann:</div><blockquote class="gmail_quote">Come?</blockquote>';
    const split = splitReply({ text: 'Yes.\n\nAnn:\n\nCome?', html }, rules);
    expect(split).toMatchObject({
      visibleText: 'Yes.',
      quotedText: 'Ann:\nCome?',
      visibleHtml: '<div>Yes.</div>',
    });
  });

  it('keeps a blockquote used for layout', () => {
    const split = ofHtml('<p>The poem:</p><blockquote><p>Roses</p></blockquote><p>Nice.</p>');
    expect(split).toMatchObject({ visibleText: 'The poem:\n\nRoses\n\nNice.', quotedText: null });
    const quote = ofHtml(
      '<p>Yes.</p><p>On 16.11.26 10:15, Ann wrote:</p><blockquote><p>Come?</p></blockquote>',
    );
    expect(quote.visibleText).toBe('Yes.');
  });

  it('may be preformatted', () => {
    const split = ofHtml('<pre class=x>Yes.\n\nOn 16.11.26 10:15, Ann wrote:\n&gt; Come?\n</pre>');
    expect(split.visibleText).toBe('Yes.');
    expect(split.visibleHtml).toBe('<pre class=x>Yes.</pre>');
    const below = ofHtml('<pre class=x>&gt; Come?\n\nYes.\n</pre>');
    expect(below).toMatchObject({ visibleText: 'Yes.', visibleHtml: '<pre class=x>Yes.\n</pre>' });
  });

  it('becomes text as a reader sees it', () => {
    const { visibleText } = ofHtml(
      '<style>a{}</style><div style="display: none">unseen</div><p>One &amp; two&nbsp;<a href="https://x.example/">here</a>' +
        '<br>three</p><p class="MsoNormal">a</p><p class="MsoNormal">b</p><table><tr><td>c</td><td>d</td></tr></table>' +
        '<img src="cid:1"><img src="https://x.example/count.gif"><a href="https://x.example/">https://x.example/</a>',
    );
    expect(visibleText).toBe(
      'One & two here [https://x.example/]\nthree\n\na\nb\nc d\n[image]https://x.example/',
    );
  });

  it('may consist of an image as the reply', () => {
    const split = ofHtml('<img src="cid:1" alt="the  lid"><blockquote type="cite">Come?</blockquote>');
    expect(split).toMatchObject({ visibleText: '[image: the lid]', quotedText: 'Come?' });
    expect(split.visibleHtml).toBe('<img src="cid:1" alt="the  lid">');
  });

  it('is read up to 256 KiB', () => {
    const { visibleHtml } = ofHtml(`<p>${'word '.repeat(60_000)}</p><blockquote type="cite">a</blockquote>`);
    expect(visibleHtml?.length).toBeLessThanOrEqual(256 * 1024 + 10);
    expect(visibleHtml?.endsWith('</p>')).toBe(true);
  });
});

describe('tokens', () => {
  it.each([
    ['a<b', ['text:', 'broken:']],
    ['1 < 2 <3', ['text:']],
    ['<a title="x > y">z</a>', ['open:a', 'text:', 'close:a']],
    ['<p title=">q', ['broken:']],
    ['<!-- <b> --><br/>', ['comment:', 'void:br']],
    ['<!--', ['broken:']],
    ['</>x', ['comment:', 'text:']],
    ['<script>if (a<b) "</p>"</script>x', ['open:script', 'raw:script', 'close:script', 'text:']],
    ['<STYLE>a', ['open:style', 'raw:style']],
  ])('of %s', (source, kinds) => {
    const tokens = scanHtml(source).map(({ kind, name }) => `${kind}:${name}`);
    expect(tokens.map((token) => token.replace(/^text:.*/, 'text:'))).toEqual(
      kinds.map((kind) => kind.replace(/^text:.*/, 'text:')),
    );
  });

  it('have attributes', () => {
    const source = `<div ID=a class = "b c" title='"&quot;' id=z data-x>`;
    const [token] = scanHtml(source);
    expect(token && Object.fromEntries(readAttributes(source, token))).toEqual({
      id: 'a',
      class: 'b c',
      title: '""',
      'data-x': '',
    });
  });

  it('have characters by name and number', () => {
    expect(decodeReferences('&lt;&Uuml;&#252;&#xfc;&#x1F600;&nbsp;&unknown;&amp;lt;&#0;&#xD800;')).toBe(
      '<Üüü😀\u00a0&unknown;&lt;\ufffd\ufffd',
    );
  });

  const piece = fc.constantFrom(
    ...[
      '<div>',
      '</div>',
      '<p>',
      '</p>',
      '<b>',
      '</b>',
      '<table>',
      '<td>',
      '</td>',
      '</table>',
      '<br>',
      'text',
      '<li>',
    ],
    ...[
      '<blockquote type="cite">',
      '</blockquote>',
      '<',
      '>',
      '"',
      '<a b="',
      '<!--',
      '-->',
      '<script>',
      '</script>',
      ' ',
    ],
    ...[
      '<div class="gmail_attr">',
      '<div id=divRplyFwdMsg>',
      '<hr>',
      '<pre>',
      '\n',
      '</pre>',
      '&gt;',
      '<body>',
      '</body>',
    ],
    ...[
      '<div id=Signature>',
      'From: a@b<br>Sent: 1<br>Subject: x<br>',
      'On 1.1.2026 10:15 a wrote:',
      '<img src=cid:a>',
    ],
  );
  const html = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  it('cover the source, and are well formed once balanced', () => {
    fc.assert(
      fc.property(html, (source) => {
        const tokens = scanHtml(source);
        expect(tokens.map(({ start, end }) => source.slice(start, end)).join('')).toBe(source);
        const open: string[] = [];
        for (const { kind, name } of balanceHtml(tokens)) {
          if (kind === 'open') open.push(name);
          if (kind === 'close') expect(open.pop()).toBe(name);
        }
        expect(open).toEqual([]);
      }),
      runs(1000),
    );
  });

  it('produce well-formed HTML, with visible content in addition to quotes', () => {
    fc.assert(
      fc.property(html, (source) => {
        const { visibleHtml, visibleText, quotedText, signature } = ofHtml(source);
        const has = (text: string | null): boolean => text !== null && text !== '';
        if (has(quotedText) || has(signature)) expect(visibleText).not.toBe('');
        if (visibleHtml === null) return;
        const open: string[] = [];
        for (const { kind, name } of scanHtml(visibleHtml)) {
          if (kind === 'open') open.push(name);
          if (kind === 'close') expect(open.pop()).toBe(name);
        }
      }),
      runs(1000),
    );
  });
});

describe('any text', () => {
  const line = fc.constantFrom(
    ...[
      'a',
      'b c',
      '',
      '',
      '> q',
      '> > q',
      '-- ',
      '--',
      'Ann',
      'Sent from my iPhone',
      'From: a@x.example',
      'Sent: Monday',
    ],
    ...['To: b', 'Subject: x', 'On 1.1.2026 10:15, Ann wrote:', 'Ann wrote:', '-----Original Message-----'],
    ...[
      '________________________________',
      '---------- Forwarded message ---------',
      'x:',
      '##- reply above this line -##',
    ],
  );

  it('is split line by line into three parts, and some of it is visible', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (lines, isForward) => {
        const { visibleText, quotedText, signature } = ofText(
          lines.join('\r\n'),
          isForward ? 'Fwd: x' : 'Re: x',
        );
        const words = (texts: readonly (string | null)[]): string[] =>
          texts
            .flatMap((text) => text?.split('\n') ?? [])
            .map((one) => one.trim())
            .filter((one) => one !== '' && one !== '--')
            .sort();
        expect(words([visibleText, quotedText, signature])).toEqual(words(lines));
        if (lines.some((one) => one !== '')) expect(visibleText.trim()).not.toBe('');
      }),
      runs(2000),
    );
  });
});

describe('malicious mail', () => {
  const fill = (piece: string, size = 500_000): string => piece.repeat(Math.ceil(size / piece.length));
  /** In CI, one of those that take the same code path. */
  const LINES = firstOf(7, [
    ...['>\n', 'a\n> b\n', 'On 1 wrote:\n', 'From: a\n', '--\n', 'On ', '\n'],
    ...['a:\n', '-- \n', '___________\n'],
  ]);
  it.each(LINES)('with many lines is parsed: %j', (piece) => {
    const { visibleText, quotedText } = ofText(fill(piece));
    expect(visibleText.length + (quotedText?.length ?? 0)).toBeLessThanOrEqual(500_020);
  });

  const ELEMENTS = firstOf(11, [
    ...['<blockquote type=cite>a', '<', '<!--', '<a b="', '<table><tr><td>', '<p>a'],
    ...['<i><div></b>', '</div>', '&#', '<hr>a: 10:15<br>', '<img src=cid:a>'],
    ...['<blockquote>', '<div>a', '<b>', '<span>', '<a href="http://x">b</a>'],
  ]);
  it.each(ELEMENTS)('with many elements is parsed: %s', (piece) => {
    expect(ofHtml(fill(piece)).visibleHtml).not.toBeNull();
  });
});
