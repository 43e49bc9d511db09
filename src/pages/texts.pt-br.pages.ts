// Brazilian Portuguese texts of the pages for recipients.
import { html, type Html } from '../lib/http/index.js';
import type { PageTexts } from './texts.en.pages.js';

export const PT_BR: PageTexts = {
  errors: {
    tooMany: 'Muitas solicitações. Tente novamente em alguns minutos.',
    failed: 'Não deu certo. Abra o link novamente.',
  },
  signUp: {
    title: 'Inscrição',
    gone: 'Esta página não existe ou não está mais disponível. O link de confirmação pode ter expirado: inscreva-se novamente.',
    badAddress: 'Informe um endereço válido.',
    address: 'E-mail',
    name: 'Nome (opcional)',
    trap: 'Deixe este campo em branco',
    submit: 'Inscrever-se',
    consent:
      'Ao se inscrever, você concorda que seus dados sejam tratados conforme a política de privacidade.',
    privacy: 'Política de privacidade',
    thanks: 'Obrigado',
    mailed: (email: string): Html =>
      html`Se este remetente puder escrever para <strong>${email}</strong>, um e-mail está a caminho. Abra o
        link que ele contém para confirmar.`,
    joined: (email: string): Html =>
      html`Se este remetente puder escrever para <strong>${email}</strong>, você receberá o próximo e-mail
        desta lista. Antes disso, talvez receba um e-mail com um link de confirmação.`,
    failed: 'Não deu certo.',
    goBack: 'Volte e tente novamente.',
  },
  confirm: {
    title: 'Confirmação',
    ask: (email: string): Html => html`Você quer receber estes e-mails em <strong>${email}</strong>?`,
    yes: 'Sim, quero me inscrever',
    ignore: 'Se você não pediu isso, feche esta página: nada acontecerá.',
    done: 'Inscrição confirmada',
    doneText: (list: string): string =>
      `A partir de agora você receberá os e-mails de “${list}”. Cada um traz um link para cancelar a inscrição.`,
  },
  confirmMail: {
    subject: (list: string): string => `Confirme sua inscrição: ${list}`,
    asked: (list: string, email: string): string =>
      `Recebemos uma solicitação para inscrever ${email} em “${list}”.`,
    open: 'Para confirmar sua inscrição, abra esta página:',
    ignore:
      'Se você não fez esta solicitação, ignore este e-mail. Você não será inscrito sem a sua confirmação.',
  },
  unsubscribe: {
    title: 'Cancelar inscrição',
    gone: 'Este link não é válido. Use-o exatamente como aparece na mensagem.',
    ask: (email: string): Html =>
      html`Não quer mais receber e-mails deste remetente em <strong>${email}</strong>?`,
    leaveList: (list: string): string => `Sair apenas de “${list}”`,
    all: 'Cancelar inscrição',
    fromEverything: 'Cancelar todas as inscrições',
    choose: 'Escolher o que receber',
    done: 'Inscrição cancelada',
    doneText: 'Este remetente não escreverá mais para você.',
    left: (list: string): string => `Você saiu de “${list}”`,
    leftText: 'Você não receberá mais nada desta lista.',
    chooseElse: 'Escolher o que mais receber',
    sample:
      'Este é o link de uma prévia. Na mensagem real, ele leva cada destinatário a uma página em que sai da lista ou cancela todos os e-mails.',
  },
  preferences: {
    title: 'Seus e-mails',
    gone: 'Este link não é válido. Use-o exatamente como aparece na mensagem.',
    saved: 'Salvo.',
    intro: (email: string): Html => html`O que este remetente envia para <strong>${email}</strong>.`,
    none: 'Você não está em nenhuma das listas dele.',
    save: 'Salvar',
    pending: '(aguardando sua confirmação)',
    noMail: 'Nenhum e-mail',
    blocked: 'Este remetente não escreve para este endereço.',
    unsubscribed: 'Sua inscrição foi cancelada: este remetente não escreverá para você.',
    again: 'Inscrever-se novamente',
  },
  sender: {
    title: 'Confirmar um remetente',
    ask: (email: string): Html =>
      html`Você autoriza o envio de e-mails em nome de <strong>${email}</strong>?`,
    confirm: 'Confirmar',
    ignore: 'Se você não concorda, feche esta página: nada acontecerá.',
    done: 'Remetente confirmado',
    doneText: (email: string): Html =>
      html`<strong>${email}</strong> já pode ser usado como remetente. Você pode fechar esta página.`,
    gone: 'Este link não funciona',
    goneText: 'Ele já foi usado, expirou ou foi substituído por um mais recente.',
  },
  forward: {
    title: 'Encaminhamento de e-mails',
    ask: (inbox: string, email: string): Html =>
      html`Encaminhar para <strong>${email}</strong> os e-mails que chegam a <strong>${inbox}</strong>?`,
    confirm: 'Encaminhar',
    ignore: 'Se você não concorda, feche esta página. Nada será encaminhado para você.',
    done: 'Encaminhamento confirmado',
    doneText: (email: string): Html =>
      html`Os novos e-mails serão encaminhados para <strong>${email}</strong>. Para parar depois, abra
        novamente o link do e-mail de confirmação.`,
    active: (inbox: string, email: string): Html =>
      html`Os e-mails que chegam a <strong>${inbox}</strong> são encaminhados para
        <strong>${email}</strong>.`,
    stop: 'Parar o encaminhamento',
    stopped: 'Encaminhamento encerrado',
    stoppedText: (email: string): Html =>
      html`Nenhum e-mail é mais encaminhado para <strong>${email}</strong>.`,
  },
  link: {
    title: 'Este link não funciona',
    unknown: 'Ele não é válido, ou a mensagem em que estava não existe mais.',
    tooMany: 'Muitos links foram testados a partir daqui. Tente novamente mais tarde.',
    unavailable: 'Não é possível abrir este link no momento. Tente novamente.',
  },
};
