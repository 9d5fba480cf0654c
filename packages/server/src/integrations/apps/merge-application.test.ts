import { describe, expect, it } from 'vitest'
import { jira } from '../../providers/jira/index.ts'
import { slack } from '../../providers/slack/index.ts'
import { mergeApplication } from './merge-application.ts'
import {
  applicationAt,
  parseApplication,
  renderApplication,
  type StoredApplication,
} from './stored-application.ts'

const now = new Date('2026-11-22T00:00:00.000Z')
const later = (hours: number) => new Date(now.getTime() + hours * 3600 * 1000)
const client = { clientId: '1.2', clientSecret: 'client-secret-long-enough' }

function save(
  stored: StoredApplication | undefined,
  signingSecret: string | null,
  at: Date,
): StoredApplication {
  const given = { provider: 'slack', ...client, signingSecret }
  const merged = mergeApplication(slack, given, { stored, now: at })
  if (!('application' in merged)) throw new Error('It was refused')
  return merged.application
}

const secretsAt = (stored: StoredApplication, at: Date) => applicationAt(stored, at).webhookSecrets

describe('a stored application', () => {
  it('is the same after it was sealed and opened', () => {
    const stored = save(save(undefined, 'first', now), 'second', now)
    expect(parseApplication(slack, renderApplication(slack, stored))).toEqual(stored)
  })

  it('is opened as it was stored before the fields were described', () => {
    const text =
      '{"provider":"slack","clientId":"1","clientSecret":"2","hookSecret":"3","previousSecret":null}'
    expect(parseApplication(slack, text)).toEqual({
      values: { clientId: '1', clientSecret: '2' },
      hookSecret: '3',
      previousSecret: null,
    })
    const without = '{"provider":"jira","clientId":"1","clientSecret":"2"}'
    expect(renderApplication(jira, parseApplication(jira, without))).toBe(without)
  })

  it('that has another form is refused without a word of what is in it', () => {
    for (const text of ['top-secret', '{"provider":"jira","clientSecret":"top-secret"}']) {
      const read = () => parseApplication(jira, text)
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
    const merged = mergeApplication(slack, other, { stored, now })
    expect(merged).toMatchObject({ application: { hookSecret: 'new', previousSecret: null } })
  })
})
