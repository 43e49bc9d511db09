// Translates the results of checking a proof.
import type { Catalogue } from '../translate.js';

export const PROOFS: Catalogue = {
  'This is a SANDBOX message. It was sent with a test key and never delivered.':
    'Dies ist eine SANDBOX-Nachricht. Sie wurde mit einem Testschlüssel gesendet und nie zugestellt.',
  'This is not a sandbox message.': 'Dies ist keine Sandbox-Nachricht.',
  'The key set is empty.': 'Der Schlüsselsatz ist leer.',
  "The file contains no public key. Pass the issuer's key set.":
    'Die Datei enthält keinen öffentlichen Schlüssel. Geben Sie den Schlüsselsatz des Ausstellers an.',
  'The bundle was not signed by a trusted key. It was changed or signed with another key.':
    'Das Bündel ist nicht mit einem vertrauenswürdigen Schlüssel signiert. Es wurde verändert oder mit einem anderen Schlüssel signiert.',
  'The signature does not match the bundle and the key in the file.':
    'Die Signatur passt nicht zum Bündel und zum Schlüssel in der Datei.',
  'Signed by trusted key {} ({}).': 'Signiert mit dem vertrauenswürdigen Schlüssel {} ({}).',
  'Signed by key {}, which came with the file. Verify that you trust this key.':
    'Signiert mit dem Schlüssel {}, der in der Datei mitkam. Prüfen Sie, ob Sie ihm vertrauen.',
  'The file has no attestation, so it does not say whether this is a sandbox message.':
    'Die Datei hat keine Bestätigung und sagt deshalb nicht, ob dies eine Sandbox-Nachricht ist.',
  'The attestation (sandbox, chain_head) does not match its signature.':
    'Die Bestätigung (sandbox, chain_head) passt nicht zu ihrer Signatur.',
  'The attestation contains unknown fields: {}. Verify it with a current release.':
    'Die Bestätigung enthält unbekannte Felder: {}. Prüfen Sie sie mit einer aktuellen Version.',
  'The approval in the attestation is for other content.':
    'Die Freigabe in der Bestätigung gilt für einen anderen Inhalt.',
  'Approved by {} ({}) at {}.': 'Freigegeben von {} ({}) am {}.',
  'The file contains unknown fields: {}.': 'Die Datei enthält unbekannte Felder: {}.',
  'The field {} was changed after signing.': 'Das Feld {} wurde nach dem Signieren verändert.',
  'The file contains a duplicate field and is ambiguous.':
    'Die Datei enthält ein Feld doppelt und ist mehrdeutig.',
  'The file is too large to be a proof.': 'Die Datei ist zu groß für einen Nachweis.',
  'The file is not valid JSON: {}.': 'Die Datei ist kein gültiges JSON: {}.',
  'The file does not contain a JSON object.': 'Die Datei enthält kein JSON-Objekt.',
  'The file has no bundle.': 'Die Datei enthält kein Bündel.',
  'The bundle is missing {}.': 'Dem Bündel fehlt {}.',
  'The bundle contains unknown fields: {}.': 'Das Bündel enthält unbekannte Felder: {}.',
  'A field of the bundle has the wrong type.': 'Ein Feld des Bündels hat den falschen Typ.',
};
