import { describe, expect, it } from 'vitest'
import { mergeApp, mergeApps, parseApp, renderApp, type StoredApp } from './provider-app.ts'

const now = new Date('2026-11-22T00:00:00.000Z')
const later = (hours: number) => new Date(now.getTime() + hours * 3600 * 1000)
const client = { clientId: '1.2', clientSecret: 'client-secret-long-enough' }
const none = { github: undefined, jira: undefined, slack: undefined }

function save(stored: StoredApp | undefined, signingSecret: string | null, at: Date): StoredApp {
  const merged = mergeApp({ provider: 'slack', ...client, signingSecret }, stored, at)
  if (!('app' in merged)) throw new Error('It was refused')
  return merged.app
}

const secretsAt = (app: StoredApp, at: Date) => mergeApps(none, [app], at).slack?.signingSecrets

describe('a stored application', () => {
  it('is the same after it was sealed and opened', () => {
    const app = save(save(undefined, 'first', now), 'second', now)
    expect(parseApp(renderApp(app))).toEqual(app)
  })

  it('that has another form is refused without a word of what is in it', () => {
    for (const text of ['top-secret', '{"provider":"jira","clientSecret":"top-secret"}']) {
      const read = () => parseApp(text)
      expect(read).toThrow(/another form/)
      expect(read).not.toThrow(/top-secret/)
    }
  })
})

describe('a signing secret', () => {
  it('that is entered again changes nothing about the one before', () => {
    const replaced = save(save(undefined, 'first', now), 'second', now)
    const again = save(replaced, 'second', later(20))
    expect(secretsAt(again, later(23))).toEqual(['second', 'first'])
    expect(secretsAt(again, later(24))).toEqual(['second'])
  })

  it('has one before it at most', () => {
    const first = save(undefined, 'first', now)
    const third = save(save(first, 'second', now), 'third', later(1))
    expect(secretsAt(third, later(2))).toEqual(['third', 'second'])
  })

  it('of another application does not stay', () => {
    const other = { provider: 'slack', clientId: '3.4', clientSecret: 'x', signingSecret: 'new' }
    const stored = save(undefined, 'first', now)
    const merged = mergeApp({ ...other, provider: 'slack' }, stored, now)
    expect(merged).toMatchObject({ app: { hookSecret: 'new', previousSecret: null } })
  })
})
