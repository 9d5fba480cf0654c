import { describe, expect, it } from 'vitest'
import { ProviderError, type ProviderFailure } from '../../providers/provider-error.ts'
import { slackCodes } from '../../providers/slack/errors.ts'
import { explainChatError } from './explain-chat-error.ts'

const explain = (code: string, failure: ProviderFailure = 'rejected') =>
  explainChatError(new ProviderError({ provider: 'slack', failure, code }))

describe('an error of a chat provider', () => {
  it.each(slackCodes)('%s says what is the matter and what to do', (code) => {
    const { detail, nextStep } = explain(code)
    expect(detail).toMatch(/\.$/)
    expect(nextStep).toMatch(/\.$/)
  })

  it.each([
    ['unauthorized', 'reconnect'],
    ['forbidden', 'broken'],
    ['notFound', 'broken'],
    ['rateLimited', 'wait'],
    ['rejected', 'broken'],
    ['unavailable', 'retry'],
    ['ambiguous', 'unclear'],
  ] as const)('of an unknown code is judged by its kind: %s is %s', (failure, reaction) => {
    expect(explain('constructor', failure).reaction).toBe(reaction)
  })

  it('is no unclear one where the adapter knows that nothing was done', () => {
    expect(explain('service_unavailable', 'unavailable').reaction).toBe('retry')
    expect(explain('service_unavailable', 'ambiguous').reaction).toBe('unclear')
  })
})
