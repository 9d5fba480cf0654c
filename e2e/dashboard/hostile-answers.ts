import type { Page } from 'playwright-core'

const markup = `<img src=x onerror="document.documentElement.dataset.taken=1"><script>document.documentElement.dataset.taken=1</script>`
/** From right to left from here on, if it is let; marks that pile up; a picture of many characters; a sign of no width. */
const signs = `\u202Eevil \u2067שלום Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324 👩‍👩‍👧‍👦\u200B\uFEFF`

/** Holds a name as long as the service accepts them anywhere. */
const longName = `${markup} ${signs} ${'endless'.repeat(30)}`
/** Holds a message with a word of 5,000 characters. */
const longText = `${markup} ${signs}\n\u0001${'w'.repeat(5000)} end`

/** Fields of answers that somebody has written: people here, people at the providers, the providers themselves. */
const names = new Set([
  'name',
  'title',
  'fullName',
  'repository',
  'ref',
  'branch',
  'defaultBranch',
  'hostEnvironment',
  'defaultChannelName',
  'channelName',
  'organizationName',
  'assignee',
  'author',
  'login',
  'email',
  'client',
  'value',
  'before',
  'after',
  'default',
])
const texts = new Set([
  'message',
  'commitMessage',
  'description',
  'detail',
  'comment',
  'lastError',
  'error',
  'nextStep',
  'stateReason',
  'summary',
  'text',
])

/** Names of keys, of which nothing but letters, digits and `_.-` is taken, and 128 of them at most. They stay different. */
const toLongKey = (key: string) => `${key}.`.padEnd(128, 'Endless')

/** Puts text of people who mean harm in the place of all text that people have written, in whatever the service answers. */
export async function answerHostile(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    const request = route.request()
    if (request.method() !== 'GET' || request.resourceType() !== 'fetch') return route.fallback()
    const response = await route.fetch()
    if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response })
    const said: unknown = await response.json()
    await route.fulfill({ response, json: spoil(said) })
  })
}

function spoil(said: unknown, field = ''): unknown {
  if (typeof said === 'string' && said !== '') {
    if (field === 'key') return toLongKey(said)
    if (names.has(field)) return longName
    return texts.has(field) ? longText : said
  }
  if (Array.isArray(said)) return said.map((one) => spoil(one, field))
  if (typeof said !== 'object' || said === null) return said
  const isByKey = field === 'values'
  return Object.fromEntries(
    Object.entries(said).map(([name, value]) => [
      isByKey ? toLongKey(name) : name,
      spoil(value, name),
    ]),
  )
}
