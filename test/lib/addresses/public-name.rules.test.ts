import { expect, it } from 'vitest';
import { isPublicName } from '../../../src/lib/addresses/public-name.rules.js';

it.each(['mail.example.com', 'Mail.Example.COM.', 'xn--bcher-kva.example', 'mx.lab.test'])(
  'treats %s as a public name',
  (name) => expect(isPublicName(name)).toBe(true),
);

it.each([
  'vm',
  'localhost',
  'app.localhost',
  'printer.local',
  'db.internal',
  'nas.lan',
  'box.home.arpa',
  '127.0.0.1',
  '[::1]',
  'two words.example',
  '',
])('does not treat "%s" as a public name', (name) => expect(isPublicName(name)).toBe(false));
