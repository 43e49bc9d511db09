// Signing in for a program without a browser (RFC 8628).
import { Type } from 'typebox';
import { createdApiKey } from '../api-keys/api-key.schema.js';
import { DEVICE_SIGN_IN_STATUSES, KEY_PERMISSIONS, MODES } from '../../contract/names.js';
import { closed, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';

const object = Type.Literal('device_sign_in');

export const deviceStart = closed(
  {
    client_name: Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'Shown to the person, and the name of the key unless they choose another.',
    }),
    mode: Type.Optional(
      oneOf(MODES, { default: 'test', description: 'The environment that the program wants.' }),
    ),
  },
  { examples: [{ client_name: 'posthorn CLI', mode: 'test' }] },
);

export const deviceStarted = Type.Object({
  object,
  device_code: Type.String({ description: 'For `auth.pollDevice`; a secret of the program.' }),
  user_code: Type.String({ description: 'For the person, who compares it.' }),
  verification_uri: Type.String({ format: 'uri', description: 'The page where the person enters the code.' }),
  verification_uri_complete: Type.String({ format: 'uri', description: 'The same page with the code.' }),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  interval: Type.Integer({ description: 'Seconds to wait between two polls.' }),
});

export const devicePoll = closed(
  { device_code: Type.String({ maxLength: 100 }) },
  { examples: [{ device_code: 'kJ3v…' }] },
);

export const devicePolled = Type.Object({
  object,
  status: oneOf(DEVICE_SIGN_IN_STATUSES),
  api_key: nullable(createdApiKey),
});

export const deviceParams = Type.Object({ user_code: Type.String({ maxLength: 20 }) });

export const waitingDevice = Type.Object({
  object,
  user_code: Type.String(),
  client_name: Type.String(),
  ip: nullable(Type.String({ description: 'The address that the program asked from.' })),
  mode: oneOf(MODES, { description: 'The environment that the program wants.' }),
  expires_at: timestamp,
  created_at: timestamp,
});

export const deviceApproval = closed(
  {
    mode: Type.Optional(oneOf(MODES, { description: 'As the program wants it unless given.' })),
    permission: Type.Optional(oneOf(KEY_PERMISSIONS, { default: 'full' })),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Of the key; the name of the program unless given.',
      }),
    ),
  },
  { examples: [{ mode: 'test', permission: 'full' }] },
);

export const deviceDecided = Type.Object({
  object,
  user_code: Type.String(),
  status: oneOf(['approved', 'denied']),
});

nameSchemas({
  DeviceSignInStart: deviceStart,
  DeviceSignInStarted: deviceStarted,
  DeviceSignInPoll: devicePoll,
  DeviceSignInPolled: devicePolled,
  DeviceSignIn: waitingDevice,
  DeviceSignInApprove: deviceApproval,
  DeviceSignInDecided: deviceDecided,
});
