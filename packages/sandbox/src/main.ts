import { parseArgs } from 'node:util'
import { startSandbox } from './start-sandbox.ts'

const usage = `Usage: signalbox-sandbox [--port <number>] [--json]

Simulates code hosts, issue trackers and chats for Signalbox, on 127.0.0.1 only, with all data in memory.

  --port <number>  default 0: any free port
  --json           one line of JSON once it answers: {"event":"started","origin":"http://127.0.0.1:4500"}
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) process.stdout.write(usage)
else await run(Number(values.port))

async function run(port: number): Promise<void> {
  const sandbox = await startSandbox({ port })
  sandbox.stage.open()
  // Ids grow with time. A service that was kept knows those of an earlier start, and what is pushed now is something else.
  const seconds = Math.floor((Date.now() - Date.UTC(2026, 0)) / 1_000)
  for (const provider of sandbox.providers)
    for (let passed = 0; passed < seconds; passed += 1) provider.skipId?.()
  const { origin } = sandbox
  const line = values.json
    ? JSON.stringify({ event: 'started', origin })
    : `${origin}  Ctrl-C stops`
  process.stdout.write(`${line}\n`)
  const stop = () => void sandbox.close()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  // Stops when the channel of its parent closes: then the parent has ended, and nobody else would stop it.
  process.once('disconnect', stop)
  process.channel?.unref()
}
