import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { generateRootKey, renderRootKey } from '../crypto/root-key.ts'
import { runRootKeyCommand } from './run-root-key-command.ts'

const directory = mkdtempSync(join(tmpdir(), 'root-key-command-'))
afterAll(() => rmSync(directory, { recursive: true }))

const [current, next] = [generateRootKey(), generateRootKey()].map(renderRootKey)
const padded = Buffer.from(current ?? '', 'base64url').toString('base64')
let scripts = 0

/** Writes a script, and returns the line that runs it. */
function script(text: string, mode = 0o700): string {
  const path = join(directory, `print-key-${(scripts += 1)}`)
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode })
  return path
}

const refusalOf = (line: string, limitMs?: number) =>
  runRootKeyCommand({ line, ...(limitMs !== undefined && { limitMs }) }).then(
    () => expect.fail('It printed a key'),
    (error: { message: string; advice: string; code: string }) => error,
  )

describe('runRootKeyCommand', () => {
  it.each([
    ['as base64url', `echo ${current}`, [current]],
    ['as the base64 that key services print', `echo '${padded}'`, [current]],
    ['two during a rotation, on one line', `printf '%s,%s' ${next} ${current}`, [next, current]],
    ['two during a rotation, on two lines', `echo ${next}; echo ${current}`, [next, current]],
    ['whatever it says beside it', `echo ${current}; echo careful >&2`, [current]],
  ])('takes a key %s', async (_, text, keys) => {
    expect(await runRootKeyCommand({ line: script(text) })).toEqual(keys)
  })

  it('separates arguments by spaces, and gives none of them to a shell', async () => {
    const shown = script('for word in "$@"; do echo "[$word]" >&2; done; exit 3')
    const refusal = await refusalOf(`  ${shown}  decrypt  "$HOME"  'two words';id  `)
    expect(refusal.advice).toContain(`[decrypt] ["$HOME"] ['two] [words';id]`)
  })

  it('ends a program that asks for something', async () => {
    expect((await refusalOf(script('read answer; exit 4'))).message).toContain('exit code 4')
  })

  it('says what was wrong, with the standard error and without the output', async () => {
    const key = current ?? ''
    const failed = await refusalOf(script(`echo ${key}; echo "no access\tto ${key}" >&2; exit 3`))
    expect(failed.code).toBe('root_key_command')
    expect(failed.message).toContain(
      'which SIGNALBOX_ROOT_KEY_COMMAND names, ended with exit code 3',
    )
    expect(failed.advice).toBe('It wrote to its standard error: no access to (hidden)')
    const others = [
      [join(directory, 'absent'), 'was not found'],
      [script('exit 0', 0o600), 'cannot be started (EACCES)'],
      [script('exit 0'), 'printed nothing'],
      [script(`echo ${key}x`), 'printed something else than a root key'],
      [script(`echo ${key} ${key} ${key}`), 'printed something else than a root key'],
      [script('kill -KILL $$'), 'ended with SIGKILL'],
      [script('yes too-much'), 'wrote more than 4096 bytes'],
    ] as const
    for (const [line, what] of others) {
      const refusal = await refusalOf(line)
      expect(refusal.message).toBe(
        `${line}, which SIGNALBOX_ROOT_KEY_COMMAND names, ${what}${refusal.message.split(what)[1]}`,
      )
      expect(JSON.stringify(refusal) + refusal.message).not.toContain(key)
    }
  })

  it('gives up after its time, also when a child of the program holds the output', async () => {
    const slow = await refusalOf(script('sleep 600'), 200)
    expect(slow.message).toContain('did not end within 0.2 seconds')
  })

  it('ends when the start is given up', async () => {
    const controller = new AbortController()
    const running = runRootKeyCommand({ line: script('sleep 600'), signal: controller.signal })
    controller.abort(new Error('stopped'))
    await expect(running).rejects.toThrow('stopped')
  })
})
