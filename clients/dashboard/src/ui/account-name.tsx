// The address that a password belongs to, for the browser's password store. People do not see it.
import { usePlace } from '../data/place.js';

export function AccountName() {
  const { email } = usePlace().session.user;
  return <input type="email" autoComplete="username" value={email} readOnly hidden />;
}
