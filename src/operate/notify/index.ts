/** What a person should know of a bot while nobody looks: events and view → alerts → channels. */
export { openAlerts, type OpenedAlerts } from './openAlerts.ts';
export { sendTestMessages, type TestedChannel } from './sendTestMessages.ts';
