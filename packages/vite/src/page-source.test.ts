import { describe, expect, it } from 'vitest'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolvePageSource } from './page-source.ts'

const environment = 'production'
const apiKey = `sbx_b2m_${'a'.repeat(46)}`
const env = {
  SIGNALBOX_CONFIG_URL: 'https://config.example.com/',
  SIGNALBOX_BROWSER_KEY: apiKey,
  SIGNALBOX_ORGANIZATION: 'acme',
}

describe('what a page is read with', () => {
  it('is in the environment, and options win', () => {
    const baseUrl = 'https://config.example.com'
    expect(resolvePageSource({ environment }, env, '/')).toEqual({
      baseUrl,
      apiKey,
      orgId: 'acme',
      environment,
    })
    expect(resolvePageSource({ environment, orgId: 'other' }, env, '/').orgId).toBe('other')
  })

  it('has the organization of the project file above it', () => {
    const root = mkdtempSync(join(tmpdir(), 'signalbox-vite-'))
    try {
      mkdirSync(join(root, 'app'))
      writeFileSync(join(root, '.signalbox.json'), '{ "organization": "acme" }')
      const { SIGNALBOX_ORGANIZATION: _, ...others } = env
      expect(resolvePageSource({ environment }, others, join(root, 'app')).orgId).toBe('acme')
    } finally {
      rmSync(root, { recursive: true })
    }
  })

  it('has the schema of that file, or the one of the options', () => {
    const root = mkdtempSync(join(tmpdir(), 'signalbox-vite-'))
    const file = join(root, '.signalbox.json')
    try {
      writeFileSync(file, '{ "schema": "web" }')
      expect(resolvePageSource({ environment }, env, root)).toMatchObject({ schema: 'web' })
      expect(resolvePageSource({ environment, schema: 'api' }, env, root)).toMatchObject({
        schema: 'api',
      })
      for (const wrong of ['{', '[]"', 'null', '7']) {
        writeFileSync(file, wrong)
        expect(() => resolvePageSource({ environment }, env, root)).toThrow(
          `signalbox: ${file} is not a JSON object.`,
        )
      }
    } finally {
      rmSync(root, { recursive: true })
    }
  })

  it('is asked for by option and variable when it is missing', () => {
    expect(() => resolvePageSource({ environment }, {}, '/')).toThrow(
      'signalbox: set the option baseUrl, or SIGNALBOX_CONFIG_URL.',
    )
  })

  it('is never a key of a server, which is not repeated', () => {
    const serverKey = `sbx_m2m_${'b'.repeat(46)}`
    const build = () => resolvePageSource({ environment, apiKey: serverKey }, env, '/')
    expect(build).toThrow('the key for the page is not a browser key')
    expect(build).not.toThrow(serverKey)
  })
})
