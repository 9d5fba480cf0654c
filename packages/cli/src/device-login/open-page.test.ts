import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPage } from './open-page.ts'

const url = 'https://signalbox.example.com/device?user_code=WDJB-MJHT&a=$(b)'
let directory: string

/** Programs that write down what they are called with. */
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-open-'))
  for (const name of ['open', 'xdg-open', 'rundll32']) {
    const path = join(directory, name)
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' ${name} "$@" > '${directory}/called'\n`)
    chmodSync(path, 0o755)
  }
  vi.stubEnv('PATH', `${directory}${delimiter}${process.env['PATH'] ?? ''}`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(directory, { recursive: true, force: true })
})

const called = () => {
  try {
    return readFileSync(join(directory, 'called'), 'utf8').trim().split('\n')
  } catch {
    return undefined
  }
}

describe.skipIf(process.platform === 'win32')('openPage', () => {
  it.each([
    ['darwin', {}, ['open', url]],
    ['linux', { DISPLAY: ':0' }, ['xdg-open', url]],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open', url]],
    ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler', url]],
  ] as const)(
    'gives the address to the program of %s as it is',
    async (platform, env, expected) => {
      openPage(url, env, platform)
      await expect.poll(called).toEqual(expected)
    },
  )

  it.each([
    ['linux', {}],
    ['linux', { DISPLAY: ':0', SSH_CONNECTION: '203.0.113.1 5 203.0.113.2 22' }],
    ['darwin', { SSH_TTY: '/dev/pts/1' }],
  ] as const)('opens nothing on %s with %j, where nobody would see it', (platform, env) => {
    openPage(url, env, platform)
    expect(called()).toBeUndefined()
  })

  it('is content where there is no such program', () => {
    vi.stubEnv('PATH', '/nonexistent')
    expect(() => openPage(url, { DISPLAY: ':0' }, 'linux')).not.toThrow()
  })
})
