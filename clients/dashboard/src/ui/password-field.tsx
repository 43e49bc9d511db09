// A password field whose button to show the password has a label in the chosen language.
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';

export function PasswordField(props: PasswordInputProps) {
  const t = useTexts(common);
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t.signIn.showPassword }} {...props} />;
}
