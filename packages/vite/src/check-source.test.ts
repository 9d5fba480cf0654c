import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, createLogger } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  browserKey,
  environment,
  orgId,
  schema,
  startSnapshotServer,
  type SnapshotServer,
} from '../../config/src/testing/snapshot-server.ts'
import { signalbox } from './index.ts'

const root = mkdtempSync(join(tmpdir(), 'signalbox-vite-'))
let server: SnapshotServer

beforeAll(async () => {
  writeFileSync(join(root, 'index.html'), '<title>Shop</title>')
  server = await startSnapshotServer()
})
afterAll(async () => {
  await server.stop()
  rmSync(root, { recursive: true, force: true })
})

let warnings: string[]
beforeEach(() => {
  warnings = []
})

/** Builds a page, and collects what the build warns of. */
async function buildPage(baseUrl: string): Promise<void> {
  const source = { baseUrl, apiKey: browserKey, orgId, environment, schema }
  const logger = createLogger('warn')
  logger.warn = (message) => void warnings.push(message)
  await build({
    root,
    configFile: false,
    customLogger: logger,
    plugins: [signalbox({ ...source, leakCheck: false })],
    build: { write: false },
  })
}

describe('a build', () => {
  it('warns of a configuration that the server does not have, by its names', async () => {
    server.behave({ status: 404, detail: 'This doesn’t exist' })
    await buildPage(server.url)
    expect(warnings).toEqual([
      expect.stringContaining(
        `${server.url} has no schema ${schema}, environment ${environment}, organization ${orgId}`,
      ),
    ])
    expect(warnings[0]).toContain('run "signalbox push"')
    expect(warnings[0]).not.toContain(browserKey)
  })

  it.each([
    ['has it', () => server.url],
    ['cannot be reached', () => 'http://127.0.0.1:9'],
  ])('says nothing where the server %s', async (_, url) => {
    server.behave('well')
    await buildPage(url())
    expect(warnings).toEqual([])
  })
})
