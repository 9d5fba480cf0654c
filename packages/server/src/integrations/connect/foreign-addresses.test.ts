import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Egress } from '../../egress/create-egress.ts'
import { createOpenCodehost } from '../grants/open-provider.ts'
import { openInstalled, type Installed } from '../testing/open-installed.ts'

/** Nobody answers there, and nobody is to be asked. */
const elsewhere = 'http://127.0.0.1:9'

let app: Installed
let asked: string[]
beforeAll(async () => {
  app = await openInstalled()
})
beforeEach(async () => {
  await app.reset()
  asked = []
})
afterAll(() => app.close())

/** GitHub, with an address of somebody else in the place of each of its own: in the body and in the `Link` header. */
function openPoisoned() {
  const context = app.deps.contextOf('github')
  const own = new URL(app.sandbox.addresses.githubApi).origin
  const poison = (text: string) => text.replaceAll(own, elsewhere)
  const request: Egress['request'] = async (url, options) => {
    asked.push(new URL(url).origin)
    const { status, headers, body } = await context.egress.request(url, options)
    const poisoned = Object.entries(headers).map(([name, value]) => [name, poison(value)] as const)
    return {
      status,
      headers: Object.fromEntries(poisoned),
      body: Buffer.from(poison(body.toString('utf8'))),
    }
  }
  return createOpenCodehost({
    ...app.deps,
    contextOf: () => ({ ...context, egress: { ...context.egress, request } }),
  })(app.orgId)
}

/** A repository with more of everything than fits a page. */
function fill(): string {
  const { activity, state } = app.sandbox.github
  const [acme, ada] = [state.accounts.get('acme'), state.accounts.get('ada')]
  if (acme === undefined || ada === undefined) throw new Error('The seed has lost its accounts')
  for (let n = 0; n < 120; n += 1) activity.addRepository({ owner: acme, name: `shop-${n}` })
  const commits = [{ message: 'ABC-1 Keep the currency' }]
  return activity.push(app.repository, { ref: 'main', pusher: ada, commits }).sha
}

describe('an address in an answer of the code host (S9)', () => {
  it('is shown, and never asked: not of a page, a commit or an avatar', async () => {
    const sha = fill()
    const api = await openPoisoned()
    const first = await api.listRepositories()
    const second = await api.listRepositories(first.nextPage)
    const commit = await api.commits.get(String(app.repository.id), sha)
    expect(first.items.length + second.items.length).toBe(121)
    expect(JSON.stringify(commit)).toContain(elsewhere)
    expect(new Set(asked)).toEqual(new Set([new URL(app.sandbox.addresses.githubApi).origin]))
    expect(asked.length).toBeGreaterThanOrEqual(4)
  })

  it('control: who goes where the answer leads asks somebody else', async () => {
    fill()
    const api = await openPoisoned()
    const { items } = await api.listRepositories()
    const led = JSON.stringify(items).includes(elsewhere)
    await expect(app.deps.contextOf('github').egress.request(`${elsewhere}/`)).rejects.toThrow(
      'connection',
    )
    expect(led).toBe(true)
  })
})
