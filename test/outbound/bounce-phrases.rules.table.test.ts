// Tests the classification of refusals in the words of many systems, as people and programs write them. Phrases are given with
// and without contractions, with typewriter and typographic apostrophes.
import { describe, expect, it } from 'vitest';
import type { BounceCategory } from '../../src/contract/names.js';
import {
  classOfReply,
  compileBounceRules,
  expandContractions,
} from '../../src/outbound/outcome/bounce-class.rules.js';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import { readShipped } from '../../src/settings/shipped.js';

const rules = compileBounceRules(readShipped('bounce-rules'), compileProviders(readShipped('providers')));

const PHRASES: Partial<Record<BounceCategory, readonly string[]>> = {
  invalid_recipient: [
    "The email address you entered couldn't be found. Please check the recipient's email address.",
    'The email address you entered couldn’t be found.',
    "ann@example.org wasn't found at example.org.",
    'ann@example.org wasn’t found at example.org.',
    "Your message couldn't be delivered. The recipient's address couldn't be found",
    "The recipient can't be found.",
    "This address isn't valid.",
    'This address isn’t known here.',
    "That user doesn't exist",
    'The user you are trying to contact doesn’t exist',
    "The mailbox doesn't exist on this server",
    "Address doesn't exist",
    "There isn't a mailbox with that name",
    "We don't have a user by that name",
    'We do not have a mailbox called ann',
    "That account doesn't exist anymore",
    'The account no longer exists',
    'The person you are writing to is no longer with the company',
    'This employee no longer works here',
    'ann has left the company and this mailbox is not monitored',
    'User is unknown',
    'User ann is unknown',
    'Unknown recipient',
    'Unknown user account',
    'No such user',
    'No such recipient here',
    'No such mailbox',
    'No such person at this address',
    'There is no user by that name',
    'No mailbox by that name is currently available',
    'The recipient name is not recognized',
    'The recipient was not found in the directory',
    'Recipient not in our directory',
    'Recipient does not exist here',
    'Recipient unknown',
    'Recipient is invalid',
    'Recipient address not known',
    'Mailbox unknown or not accepting mail',
    'Mailbox not found',
    'Mailbox is not available here: no such account',
    'Account not found',
    'Account is unknown',
    'Unable to find the recipient ann',
    'Cannot find the user ann',
    'Could not find a user named ann',
    'Local user ann unknown',
    'unknown local part ann in ann@example.org',
    'Nobody here by that name',
    'Bad destination mailbox address',
    'Bad recipient address',
    'Invalid mailbox',
    'Invalid address',
    'Incorrect recipient address',
    'Not a valid recipient',
    'Not a valid mailbox',
    'Undeliverable address',
    'Address is undeliverable',
    'Addressee unknown',
    'El usuario no existe',
    'Utente sconosciuto',
    'Destinatario inexistente',
    'Utilisateur inconnu',
    'Empfänger unbekannt',
    'Der Benutzer existiert nicht',
    'Gebruiker onbekend',
  ],
  inactive_mailbox: [
    "The email account that you tried to reach isn't active.",
    'The email account that you tried to reach isn’t active.',
    "This mailbox isn't active",
    'This account is not active',
    'The account has been disabled',
    'Mailbox disabled, not accepting messages',
    'Account deactivated',
    'The account was closed by its owner',
    'This user has been suspended',
    'The mailbox has expired',
    'Mailbox is locked',
    'The recipient has been terminated',
    'Inactive user',
    'Disabled recipient',
    'The account has been deleted',
    'The address has been discontinued',
  ],
  bad_domain: [
    "The domain example.org doesn't accept mail",
    "This domain doesn't receive email",
    'This domain does not receive any mail',
    'The domain does not accept messages',
    'example.org does not accept email',
    'The domain accepts no mail',
    'This domain is not configured to receive mail',
    "The domain example.org isn't set up to receive mail",
    'The destination domain has no mail servers',
    'The domain has no MX record',
    'No MX records found for the domain example.org',
    'Domain has a null MX and takes no mail',
    "The recipient's domain couldn't be found",
    "The domain wasn't found",
    'The domain name does not exist',
    'No such domain at this location',
    'Unknown domain',
    'Recipient domain not hosted here',
    "DNS Error: the domain name example.org couldn't be found",
    'The domain has expired',
    'We do not host this domain',
    'No mail service at this domain',
  ],
  quota: [
    "The recipient's inbox is full",
    "The recipient's mailbox is full and can't accept messages now",
    'User over quota',
    'Over storage quota',
    'Mailbox size limit exceeded',
    'Not enough space in the mailbox',
    'The account is out of storage space',
    'The user has exceeded the storage allocation',
    'Das Postfach ist voll',
    'La boîte aux lettres est pleine',
    'El buzón está lleno',
  ],
  too_large: [
    'Message too large',
    'The message exceeds the maximum size',
    "The message size exceeds the recipient's limit",
  ],
  policy: [
    "This domain doesn't accept mail from you",
    'This domain does not accept mail from example.net',
    "You aren't allowed to send to this group",
    'You are not authorized to post to this list',
    "You don't have permission to send to this recipient",
    'Relaying denied',
    "We won't relay for you",
    'The sender was blocked by the recipient',
  ],
  spam_content: ["We won't accept spam", 'The message was identified as junk'],
  expired: [
    'Delivery time expired',
    'The message has expired in the queue',
    'Message was too long in the queue',
  ],
};

const table = Object.entries(PHRASES).flatMap(([category, phrases]) =>
  phrases.map((phrase) => [phrase, category] as const),
);

describe('phrases of refusals', () => {
  it('have more than a hundred examples', () => expect(table.length).toBeGreaterThanOrEqual(100));

  it.each(table)('%s: %s', (text, category) => {
    expect(classOfReply({ phase: 'dsn', code: 554, enhanced: null, text }, rules)).toMatchObject({
      category,
      isClear: true,
    });
  });
});

describe('contractions of "not"', () => {
  it.each([
    ["can't, won't, isn't", 'cannot, will not, is not'],
    ['couldn’t and DOESN‘T', 'could not and DOES not'],
    ['wasn&#39;t, hasn&rsquo;t, didn?t', 'was not, has not, did not'],
    ["isn't've, cant, don", "is not've, cant, don"],
    ['no contraction at all', 'no contraction at all'],
  ])('%s', (text, expanded) => expect(expandContractions(text)).toBe(expanded));
});
