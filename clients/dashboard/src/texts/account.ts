// Texts of the page of one's own account.
import { catalogue } from './texts.js';

const en = {
  title: 'Your account',
  about: 'Who you are here, how you sign in, and where you are signed in.',
  you: 'You',
  name: 'Name',
  nameHint: 'Colleagues see it in the list of people and in the audit log.',
  role: 'Role',
  since: 'Since',
  passwordTitle: 'Password',
  passwordHint:
    'At least 12 characters. Four words that only you put together are a good one. All your other sessions end.',
  current: 'Password until now',
  next: 'New password',
  showPassword: 'Show or hide the password',
  changePassword: 'Change the password',
  changed: 'The password is changed; your other sessions have ended.',
  totp: {
    title: 'Second factor',
    on: 'on',
    off: 'off',
    hintOff:
      'An authenticator app gives a new code every 30 seconds, and signing in asks for it. Who has your password alone stays outside.',
    hintOn: 'Signing in asks for a code of your authenticator app.',
    codesLeft: (count: number) =>
      count === 1 ? '1 recovery code is left.' : `${count} recovery codes are left.`,
    fewCodes: 'Take the app away and add it again for new ones.',
    begin: 'Add an authenticator app',
    password: 'Your password',
    go: 'Go on',
    scan: 'Scan this with your authenticator app, or type the secret into it.',
    qr: 'QR code with the secret',
    secret: 'Secret',
    code: 'Code that the app shows',
    confirm: 'Confirm the code',
    done: 'From now on, signing in asks for a code',
    recovery: 'Recovery codes',
    recoveryHint:
      'Each signs you in once when you do not have the app. They are shown only now: keep them where you keep your passwords.',
    download: 'Save as a file',
    remove: 'Remove the app',
    removeTitle: 'Remove the authenticator app?',
    removeHint: 'Signing in asks for the password alone then.',
    removeCode: 'Code of the app, or a recovery code',
    removed: 'The authenticator app is removed.',
  },
  sessions: {
    title: 'Sessions',
    hint: 'Browsers and programs that are signed in as you. End what you do not know, and change your password.',
    device: 'Device',
    place: 'Address',
    used: 'Last used',
    begun: 'Signed in',
    current: 'this one',
    unknown: 'unknown program',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    end: 'End',
    endOf: (device: string) => `End the session: ${device}`,
    endHint: 'Whoever uses it has to sign in again.',
    ended: 'The session has ended.',
    endOthers: 'End all others',
    endOthersTitle: 'End all other sessions?',
    endOthersHint: 'Whoever uses them has to sign in again. This session stays.',
    endedOthers: 'All other sessions have ended.',
  },
};

export const account = catalogue(en, () => import('./de/account.js').then(({ de }) => de));
export type AccountTexts = typeof en;
