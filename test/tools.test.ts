import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findTool } from '../scripts/tools/find-tool.ts'

let base: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'signalbox-tools-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

/** Writes a program that says the version of an HAProxy. */
function fakeHaproxy(folder: string, version: string): string {
  const path = join(base, folder, 'haproxy')
  mkdirSync(join(base, folder), { recursive: true })
  writeFileSync(path, `#!/bin/sh\necho "HAProxy version ${version} 2026/01/01"\n`)
  chmodSync(path, 0o755)
  return path
}

const fetchNothing = async (): Promise<string> => {
  throw new Error('there is no network.')
}

/** Returns the place in which it is found, or the reason why not. */
async function find(variables: Record<string, string>, fetch = fetchNothing): Promise<string> {
  const found = await findTool('haproxy', { variables, cache: join(base, 'cache'), fetch })
  return 'path' in found ? found.path.slice(base.length + 1) : found.reason
}

describe('a program that tests start', () => {
  it('is the one of its variable, else of PATH, else of the cache, else of the package', async () => {
    const named = fakeHaproxy('named', '3.0.0')
    fakeHaproxy('path', '2.6.12')
    const variables = { PATH: `${join(base, 'nothing')}:${join(base, 'path')}` }
    expect(await find({ ...variables, SIGNALBOX_TEST_HAPROXY: named })).toBe('named/haproxy')
    expect(await find(variables)).toBe('path/haproxy')
    const fetched = async () => fakeHaproxy('fetched', '2.8.0')
    expect(await find({}, fetched)).toBe('fetched/haproxy')
    fakeHaproxy('cache/haproxy', '2.9.0')
    expect(await find({}, fetched)).toBe('cache/haproxy/haproxy')
  })

  it('is passed over on PATH when it is too old, and refused when it was named', async () => {
    const old = fakeHaproxy('path', '1.9.16')
    const fetched = async () => fakeHaproxy('fetched', '2.10.0')
    expect(await find({ PATH: join(base, 'path') }, fetched)).toBe('fetched/haproxy')
    await expect(find({ SIGNALBOX_TEST_HAPROXY: old })).rejects.toThrow('it is 1.9.16.')
  })

  it('is missing with a reason and a remedy, or fails where it is required', async () => {
    expect(await find({})).toBe(
      'haproxy 2.4.0 or newer is not here: there is no network. Install it, or run: npm run tools -- haproxy',
    )
    expect(await find({ SIGNALBOX_TEST_REQUIRE: 'pgbouncer' })).toContain('not here')
    for (const required of ['haproxy', 'pgbouncer,haproxy', 'all'])
      await expect(find({ SIGNALBOX_TEST_REQUIRE: required })).rejects.toThrow('not here')
  })
})
