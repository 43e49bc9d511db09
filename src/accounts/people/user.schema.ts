// API schemas of a person's own account.
import { Type } from 'typebox';
import { closed, emailText, nameSchemas, nullable, timestamp } from '../../contract/schema.js';

/** Limits the length only. accounts/people/password.rules has the rules for new passwords. */
export const password = Type.String({ minLength: 1, maxLength: 200, writeOnly: true });
export const personName = Type.String({ minLength: 1, maxLength: 100 });
export const emailAddress = Type.String({ minLength: 3, maxLength: 320 });
const totpCode = Type.String({
  pattern: '^[0-9]{6}$',
  writeOnly: true,
  description: 'A code from the authenticator app.',
});
const recoveryCode = Type.String({
  minLength: 1,
  maxLength: 40,
  writeOnly: true,
  description: 'One of the recovery codes.',
});

/** One of the two second factors. */
export const secondFactor = {
  totp: Type.Optional(totpCode),
  recovery_code: Type.Optional(recoveryCode),
};

export const user = Type.Object({
  id: Type.String(),
  object: Type.Literal('user'),
  email: emailText,
  name: nullable(Type.String()),
  totp: Type.Boolean({ description: 'Whether two-factor authentication is enabled.' }),
  recovery_codes_left: Type.Integer(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const userPatch = closed({ name: nullable(personName) }, { examples: [{ name: 'Ann Smith' }] });

export const passwordChange = closed(
  {
    current: password,
    new: Type.String({
      minLength: 1,
      maxLength: 200,
      writeOnly: true,
      description:
        'The new password, with 12 to 200 characters. It cannot be the email address or a common password.',
    }),
  },
  { examples: [{ current: 'four words of before', new: 'four words of your own' }] },
);

export const totpBegin = closed({ password }, { examples: [{ password: 'four words of your own' }] });

export const totpBegun = Type.Object({
  object: Type.Literal('totp'),
  secret: Type.String({ description: 'The secret in Base32, for entering it manually.' }),
  uri: Type.String({ format: 'uri', description: 'The `otpauth://…` URI for a QR code.' }),
});

export const totpConfirm = closed({ code: totpCode }, { examples: [{ code: '123456' }] });

export const recoveryCodes = Type.Object({
  object: Type.Literal('recovery_codes'),
  recovery_codes: Type.Array(Type.String(), {
    description:
      'Recovery codes, each of which can be used once instead of a code from the app. Only returned in this response.',
  }),
});

export const totpDisable = closed(
  {
    password,
    code: Type.Optional(totpCode),
    recovery_code: Type.Optional(recoveryCode),
  },
  { examples: [{ password: 'four words of your own', code: '123456' }] },
);

export const passwordResetRequest = closed(
  { email: emailAddress },
  { examples: [{ email: 'ann@example.com' }] },
);

export const passwordResetRequested = Type.Object({
  object: Type.Literal('password_reset'),
  email: emailText,
});

export const passwordResetConfirm = closed(
  {
    token: Type.String({
      maxLength: 100,
      description: 'The token from the reset link: the part after the `#`.',
    }),
    password,
  },
  { examples: [{ token: 'kJ3v…', password: 'four words of your own' }] },
);

export const passwordResetDone = Type.Object({
  object: Type.Literal('password_reset'),
  done: Type.Literal(true),
});

nameSchemas({
  User: user,
  UserUpdate: userPatch,
  PasswordChange: passwordChange,
  TotpBegin: totpBegin,
  TotpBegun: totpBegun,
  TotpConfirm: totpConfirm,
  RecoveryCodes: recoveryCodes,
  TotpDisable: totpDisable,
  PasswordResetRequest: passwordResetRequest,
  PasswordResetRequested: passwordResetRequested,
  PasswordResetConfirm: passwordResetConfirm,
  PasswordResetDone: passwordResetDone,
});
