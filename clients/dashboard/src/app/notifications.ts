// Short messages in the corner; their code is loaded beside the page.
export { Notifications } from '@mantine/notifications';
