import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** Those of the tests, such as `SIGNALBOX_TEST_REQUIRE`, are no settings of the service, which refuses them. */
const withoutSettings = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('SIGNALBOX_')),
)

async function isServing(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

it('npm start stops with npm, which passes no signal on to it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-npm-start-'))
  await chmod(dataDir, 0o711)
  const npm = spawn('npm', ['start', '--silent', '--', '--json'], {
    cwd: root,
    env: {
      ...withoutSettings,
      SIGNALBOX_DATA_DIR: dataDir,
      SIGNALBOX_API_PORT: '0',
      SIGNALBOX_DELIVERY_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(npm, 'exit')
  const started = Promise.withResolvers<{ readonly apiUrl: string }>()
  createInterface({ input: npm.stdout }).on('line', (line) => {
    if (line.startsWith('{"event":"started"')) started.resolve(JSON.parse(line))
  })
  const { apiUrl } = await Promise.race([
    started.promise,
    ended.then(() => Promise.reject(new Error('npm start ended before it was ready'))),
  ])
  expect(await isServing(apiUrl)).toBe(true)
  npm.kill('SIGTERM')
  await ended
  await expect.poll(() => isServing(apiUrl), { timeout: 60_000 }).toBe(false)
  // The database ends with the service, and only then can its files go.
  await expect
    .poll(() =>
      rm(dataDir, { recursive: true }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
})
