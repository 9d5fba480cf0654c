import { createServer } from 'node:http'
import { ConfigError, createConfigClient } from '@signalbox/config/client'
import { createListener } from './listener.ts'

/** `signalbox run` sets all of these but the token, which it takes from here too. */
function required(name: string): string {
  const value = process.env[name]
  if (value !== undefined && value !== '') return value
  process.stderr.write(
    `${name} is missing. Start with: npx --no-install signalbox run -- node src/main.ts\n`,
  )
  process.exit(1)
}

/** Logs the error and, where the client knows it, the advice. */
function describe(error: unknown): string {
  return error instanceof ConfigError ? `${error.message}. ${error.hint ?? ''}` : String(error)
}

const config = createConfigClient({
  serverUrl: required('SIGNALBOX_CONFIG_URL'),
  token: required('SIGNALBOX_TOKEN'),
  schemaId: required('SIGNALBOX_SCHEMA_ID'),
  environmentId: required('SIGNALBOX_ENVIRONMENT_ID'),
  onError: (error) => process.stderr.write(`config: ${describe(error)}\n`),
  onChange: ({ version }) => process.stderr.write(`config: now at version ${version}\n`),
})
await config.ready()

const server = createServer(createListener(config))
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  process.stdout.write(`http://127.0.0.1:${port}\n`)
})

process.once('SIGTERM', () => {
  config.close()
  server.close()
  server.closeAllConnections()
})
