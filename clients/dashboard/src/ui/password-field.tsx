// A field for a password, whose button to show it has a name in the chosen language.
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';

export function PasswordField(props: PasswordInputProps) {
  const t = useTexts(common);
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t.signIn.showPassword }} {...props} />;
}
