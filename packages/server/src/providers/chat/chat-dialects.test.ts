import { describe, expect, it } from 'vitest'
import { explainChatCode, explainChatError } from './chat-dialects.ts'
import { ProviderError, type ProviderFailure } from '../provider-error.ts'
import { slackCodes } from '../slack/errors.ts'

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
    expect(explain('internal_error', 'unavailable').reaction).toBe('retry')
    expect(explain('internal_error', 'ambiguous').reaction).toBe('unclear')
  })

  it('of no known chat is explained all the same, and blames none', () => {
    const error = new ProviderError({ provider: 'gone', failure: 'unauthorized', code: 'x' })
    expect(explainChatError(error)).toEqual({
      reaction: 'reconnect',
      code: 'x',
      detail: 'The chat no longer accepts Signalbox’s credentials. The code is x.',
      nextStep: 'Connect the chat again.',
      retryAt: undefined,
    })
    const unexplained = 'The chat refused the message. The code is is_archived.'
    expect(explainChatCode('gone', 'is_archived').detail).toBe(unexplained)
    expect(explainChatCode(null, 'is_archived').detail).toBe(unexplained)
    expect(explainChatCode('slack', 'is_archived').detail).toBe('The channel is archived.')
  })
})
