import { expect, it } from 'vitest'
import { openSandbox } from '../../../../../sandbox/src/testing/open-sandbox.ts'

const sandbox = await openSandbox()

/** Calls the pretended Discord, and returns the code of its rejection; `undefined`: it has none. */
async function codeOf(path: string, userAgent: string, form?: string): Promise<unknown> {
  const answer = await fetch(`${sandbox.addresses.discordApi}/v10${path}`, {
    headers: {
      authorization: `Bot ${sandbox.discord.app.botToken}`,
      'user-agent': userAgent,
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form !== undefined && { method: 'POST', body: form }),
  })
  const body: unknown = await answer.json()
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
}

it.each([
  ['node', 40_333],
  ['DiscordBot', 40_333],
  ['DiscordBot (https://example.com, 1.0)', undefined],
])('refuses clients that do not name themselves as Discord asks: %s', async (userAgent, code) => {
  expect(await codeOf('/users/@me', userAgent)).toBe(code)
  expect(await codeOf('/oauth2/token', userAgent, 'grant_type=x')).toBe(code)
})
