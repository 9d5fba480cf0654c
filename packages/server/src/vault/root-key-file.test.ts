import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { generateRootKey } from '../crypto/root-key.ts'
import { followRootKeys, loadRootKeys, rootKeyFile, saveRootKeys } from './root-key-file.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'root-key-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

describe('loadRootKeys', () => {
  it('makes a key that only its owner can read, and finds it again', () => {
    const [made] = loadRootKeys(dataDir)
    expect(statSync(rootKeyFile(dataDir)).mode & 0o777).toBe(0o600)
    expect(loadRootKeys(dataDir).map(({ id }) => id)).toEqual([made.id])
  })

  it('refuses a file that others can read', () => {
    loadRootKeys(dataDir)
    chmodSync(rootKeyFile(dataDir), 0o640)
    expect(() => loadRootKeys(dataDir)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('Others can read'),
        advice: expect.stringContaining('chmod 600'),
      }),
    )
  })
})

describe('followRootKeys', () => {
  it('notices a key that is added while the service runs', () => {
    const keys = followRootKeys(dataDir)
    const [old] = loadRootKeys(dataDir)
    const next = generateRootKey()
    saveRootKeys(dataDir, [next, old])
    expect(keys().map(({ id }) => id)).toEqual([next.id, old.id])
  })
})
