/** Follows the configuration while the server runs, so that static pages are rendered again within a second. */
export async function register(): Promise<void> {
  const secret = process.env['CONFIG_WEBHOOK_SECRET']
  if (process.env.NEXT_RUNTIME !== 'nodejs' || !secret) return
  const { watchConfig } = await import('@signalbox/next/watch')
  const { configSource } = await import('./app/config-source')
  watchConfig({
    ...configSource,
    url: `http://127.0.0.1:${process.env['PORT'] ?? '3000'}/config-changed`,
    secret,
  })
}
