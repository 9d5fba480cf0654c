import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findUnreachedFolder } from './find-unreached-folder.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-init-'))
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFileSync(join(directory, name), text)

describe('the folder that the compiler reads instead of the root', () => {
  it('is src in a project of "npm create vite"', async () => {
    mkdirSync(join(directory, 'src'))
    write('tsconfig.json', '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }')
    write(
      'tsconfig.app.json',
      '{\n  "compilerOptions": {\n    /* Linting */\n    "strict": true,\n  },\n  "include": ["src"]\n}\n',
    )
    expect(await findUnreachedFolder(directory)).toBe('src')
  })

  it.each([
    ['of "npx create-next-app"', '["next-env.d.ts", "**/*.ts", "**/*.tsx"]'],
    ['that names the definition', '["src", "signalbox.config.ts"]'],
    ['of the root', '["."]'],
    ['of a folder that is not there', '["lib"]'],
  ])('is none with an include %s', async (_, include) => {
    mkdirSync(join(directory, 'src'))
    write('tsconfig.json', `{\n  "include": ${include}\n}`)
    expect(await findUnreachedFolder(directory)).toBeUndefined()
  })

  it('is none without an include, and without a tsconfig', async () => {
    expect(await findUnreachedFolder(directory)).toBeUndefined()
    write('tsconfig.json', '{ "compilerOptions": { "strict": true } }')
    expect(await findUnreachedFolder(directory)).toBeUndefined()
  })
})
