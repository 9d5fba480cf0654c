/** Holds the configuration that this application reads. The browser reads it too, so nothing in here is a secret. */
export const configSource = {
  baseUrl: process.env['SIGNALBOX_CONFIG_URL'] ?? 'http://127.0.0.1:4401',
  apiKey: process.env['SIGNALBOX_BROWSER_KEY'] ?? '',
  orgId: process.env['SIGNALBOX_ORGANIZATION'] ?? '',
  environment: process.env['SIGNALBOX_ENVIRONMENT'] ?? 'development',
  schema: 'next-app',
}
