import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Pool } from 'pg'

/**
 * The yardstick of P6: Probot with one listener that stores each webhook before it is answered. Its hundred packages are installed for
 * the time of the bench and not with the workspace. Started with a word, the secret and the address of a database as arguments; says on
 * one line where it listens. A line on its standard input asks how many webhooks it has stored.
 */
const version = '14.3.2'
/** As many as there are requests at once. */
const connectionsMax = 16
const [, , , secret = '', databaseUrl = ''] = process.argv

interface Context {
  readonly id: string
  readonly name: string
  readonly payload: object
}

/** Describes the members of Probot that are used. */
interface ProbotModule {
  readonly Probot: new (options: {
    readonly appId: number
    readonly privateKey: string
    readonly secret: string
    readonly logLevel: 'fatal'
  }) => object
  readonly createNodeMiddleware: (
    app: (probot: {
      on(event: string, listener: (context: Context) => Promise<void>): void
    }) => void,
    options: { readonly probot: object; readonly webhooksPath: string },
  ) => Promise<
    (request: IncomingMessage, response: ServerResponse, next: () => void) => Promise<boolean>
  >
}

const directory = mkdtempSync(join(tmpdir(), 'signalbox-probot-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
const install = ['install', '--ignore-scripts', '--no-audit', '--no-save', `probot@${version}`]
execFileSync('npm', install, { cwd: directory, stdio: 'ignore' })
const entry = createRequire(join(directory, 'index.js')).resolve('probot')
const { Probot, createNodeMiddleware }: ProbotModule = await import(pathToFileURL(entry).href)

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const pool = new Pool({ connectionString: databaseUrl, max: connectionsMax })
await pool.query(
  'create table deliveries (id text primary key, event text not null, payload text not null)',
)
const middleware = await createNodeMiddleware(
  (app) => {
    app.on('deployment_status', async ({ id, name, payload }) => {
      await pool.query({
        name: 'store',
        text: 'insert into deliveries (id, event, payload) values ($1, $2, $3) on conflict do nothing',
        values: [id, name, JSON.stringify(payload)],
      })
    })
  },
  {
    probot: new Probot({ appId: 1, privateKey, secret, logLevel: 'fatal' }),
    webhooksPath: '/webhooks/codehost',
  },
)
const server = createServer((request, response) => {
  void middleware(request, response, () => void response.writeHead(404).end())
})
const say = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  const address = server.address()
  say({ port: typeof address === 'object' && address !== null ? address.port : 0 })
})
const count = async () => {
  const { rows } = await pool.query<{ stored: number }>(
    'select count(*)::int as stored from deliveries',
  )
  say({ stored: rows[0]?.stored ?? 0 })
}
process.stdin.on('data', () => void count())
process.stdin.on('end', () => process.exit())
