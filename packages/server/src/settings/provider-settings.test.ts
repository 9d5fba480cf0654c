import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readProviderSettings } from './provider-settings.ts'

const pem = (type: 'rsa' | 'ed25519') =>
  (type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ed25519')
  ).privateKey.export({ type: 'pkcs8', format: 'pem' })

const privateKey = String(pem('rsa'))
const github = {
  SIGNALBOX_GITHUB_APP_ID: '123456',
  SIGNALBOX_GITHUB_APP_SLUG: 'acme-signalbox',
  SIGNALBOX_GITHUB_CLIENT_ID: 'Iv1.abc',
  SIGNALBOX_GITHUB_CLIENT_SECRET: 'the-secret-of-the-client',
  SIGNALBOX_GITHUB_PRIVATE_KEY: privateKey,
  SIGNALBOX_GITHUB_WEBHOOK_SECRET: 'new, old',
}

function read(variables: Readonly<Record<string, string>>) {
  const violations: string[] = []
  const settings = readProviderSettings(new Map(Object.entries(variables)), violations)
  return { settings, violations }
}

describe('readProviderSettings', () => {
  it('reaches the public providers, and has no application there, with nothing set', () => {
    const { settings, violations } = read({})
    expect(violations).toEqual([])
    expect(settings.applications).toEqual({})
    expect(settings.addresses).toMatchObject({
      github: { api: 'https://api.github.com' },
      slack: { api: 'https://slack.com/api' },
    })
  })

  it('takes an address with a path, without the slash at its end', () => {
    const { settings, violations } = read({
      SIGNALBOX_GITHUB_API_URL: 'https://git.acme.test/api/v3/',
    })
    expect(violations).toEqual([])
    expect(settings.addresses['github']?.['api']).toBe('https://git.acme.test/api/v3')
  })

  it('takes two webhook secrets during a rotation, and line breaks of a key written as \\n', () => {
    const written = privateKey.replaceAll('\n', String.raw`\n`)
    const { settings, violations } = read({ ...github, SIGNALBOX_GITHUB_PRIVATE_KEY: written })
    expect(violations).toEqual([])
    expect(settings.applications['github']).toMatchObject({
      values: { privateKey },
      webhookSecrets: ['new', 'old'],
    })
  })

  it('refuses half an application, naming what is missing', () => {
    const { SIGNALBOX_GITHUB_APP_ID: _id, ...others } = github
    expect(read(others).violations).toEqual([
      'SIGNALBOX_GITHUB_APP_ID is missing, but other settings of the same application are set.',
    ])
    expect(read({ SIGNALBOX_SLACK_CLIENT_ID: '1.2' }).violations).toHaveLength(2)
  })

  it.each([
    ['an App that is no number', { SIGNALBOX_GITHUB_APP_ID: 'acme' }],
    ['a key that is none', { SIGNALBOX_GITHUB_PRIVATE_KEY: 'the secret of the key' }],
    ['a key of another kind', { SIGNALBOX_GITHUB_PRIVATE_KEY: String(pem('ed25519')) }],
    ['a secret with a space at its end', { SIGNALBOX_GITHUB_CLIENT_SECRET: 'the-secret ' }],
    ['a webhook secret of two lines', { SIGNALBOX_GITHUB_WEBHOOK_SECRET: 'new, the-secret\nold' }],
    ['an address that is none', { SIGNALBOX_JIRA_API_URL: 'api.atlassian.com' }],
    ['an address with a question', { SIGNALBOX_SLACK_API_URL: 'https://slack.com/api?x=1' }],
  ])('refuses %s in one line, without repeating a secret', (_what, wrong) => {
    const { violations } = read({ ...github, ...wrong })
    expect(violations).toHaveLength(1)
    expect(violations.join()).not.toMatch(/the.secret|PRIVATE KEY-/)
  })
})
