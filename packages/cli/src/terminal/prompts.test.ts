import { describe, expect, it } from 'vitest'
import { runInTerminal } from '../testing/run-in-terminal.ts'
import { hasTerminal } from '../testing/type-in-terminal.ts'
import { testToken } from '../testing/stand-in-state.ts'
import { withStandIn } from '../testing/with-server.ts'

const { server, place } = withStandIn({ schema: 'web' })

const toProduction = ['set', 'newCheckout', 'true', '--env', 'production']
const question = 'Type "production" to confirm'
const wrote = () => server.seen.some(({ method }) => method === 'PUT')

describe.runIf(hasTerminal)('on a terminal', () => {
  it('login --token asks for the token and shows none of it', async () => {
    const result = await runInTerminal(
      place,
      ['login', '--token'],
      [['Token for', `${testToken}\r`]],
    )
    expect(result.code).toBe(0)
    expect(result.screen).toContain('Signed in')
    expect(result.screen).not.toContain(testToken)
  })

  it('a secret is asked for and not shown', async () => {
    const result = await runInTerminal(
      place,
      ['set', 'stripeKey', '--env', 'development'],
      [['Value of stripeKey', 'sk_live_hidden\r']],
    )
    expect(result.code).toBe(0)
    expect(result.screen).not.toContain('sk_live_hidden')
  })

  it('a production environment wants its name typed', async () => {
    const result = await runInTerminal(place, toProduction, [[question, 'production\r']])
    expect(result.code).toBe(0)
    expect(wrote()).toBe(true)
  })

  it('a wrong name changes nothing and is exit 3', async () => {
    const result = await runInTerminal(place, toProduction, [[question, 'staging\r']])
    expect(result.code).toBe(3)
    expect(result.screen).toContain('Nothing was changed')
    expect(wrote()).toBe(false)
  })

  it('Ctrl-C changes nothing and is exit 130', async () => {
    const result = await runInTerminal(place, toProduction, [[question, '\u0003']])
    expect(result.code).toBe(130)
    expect(wrote()).toBe(false)
  })

  it.each([
    ['a secret', ['set', 'stripeKey', '--env', 'development'], 'Value of stripeKey'],
    ['a value', ['set', 'apiUrl', '--env', 'development'], 'Value of apiUrl'],
    ['a name', toProduction, question],
    ['yes or no', ['environments', 'delete', 'development'], '?'],
  ])('Ctrl-D at the question for %s changes nothing and is exit 130', async (_, args, shown) => {
    const result = await runInTerminal(place, args, [[shown, '\u0004']])
    expect(result.code).toBe(130)
    expect(result.screen).toContain('Cancelled. Nothing was changed.')
    expect(server.seen.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('--yes asks nothing', async () => {
    const result = await runInTerminal(place, [...toProduction, '--yes'], [])
    expect(result.code).toBe(0)
    expect(result.screen).not.toContain(question)
  })
})
